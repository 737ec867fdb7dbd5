//! Checks of aspects that `cargo check` runs: no component twice, and no alternative that is never taken.

use super::AspectPart;
use super::tree::{Field, Part, Tree};
use crate::base::message::Message;
use crate::base::type_identity::same;

/// A field at its place in a tree of aspects.
struct Node<'a> {
    field: &'a Field,
    /// The aspect that has the field.
    holder: &'a Tree,
    /// The node whose field that aspect is.
    above: Option<&'a Node<'a>>,
}

impl Node<'_> {
    /// Whether both are known to be one component. Of generic types that is known if they are spelled alike in one
    /// module.
    const fn is(&self, other: &Node<'_>) -> bool {
        let (Part::Component(one), Part::Component(two)) = (&self.field.part, &other.field.part) else {
            return false;
        };
        let (holder, other_holder) = (&self.holder.identity, &other.holder.identity);
        let spelled_alike = same(self.field.ty, other.field.ty)
            && same(holder.module, other_holder.module)
            && !holder.generic
            && !other_holder.generic;
        one.is(two) && (!one.generic || spelled_alike)
    }

    /// `Monster.body.health`.
    const fn path(&self, text: Message) -> Message {
        let text = match self.above {
            Some(above) => above.path(text),
            None => text.text(self.holder.identity.name),
        };
        text.text(".").text(self.field.name)
    }
}

/// Field `at` of an aspect has no component that an earlier field has; nor has what is in it, unless that was checked
/// where it is declared.
#[track_caller]
pub const fn check_field<A: AspectPart>(at: usize) {
    if let Part::Aspect(tree) = A::PART
        && let Some(message) = twice(tree, at, None)
    {
        message.panic();
    }
}

/// What is to be said about field `at` of `holder`.
const fn twice(holder: &Tree, at: usize, above: Option<&Node<'_>>) -> Option<Message> {
    let node = Node { field: &holder.fields[at], holder, above };
    if let Part::Aspect(inner) = node.field.part
        && inner.identity.generic
    {
        let mut i = 0;
        while i < inner.fields.len() {
            let found = twice(inner, i, Some(&node));
            if found.is_some() {
                return found;
            }
            i += 1;
        }
    }
    let mut i = 0;
    while i < at {
        let found = shared(&node, &Node { field: &holder.fields[i], holder, above });
        if found.is_some() {
            return found;
        }
        i += 1;
    }
    None
}

/// What is to be said if a component within `node` is within `earlier` too.
const fn shared(node: &Node<'_>, earlier: &Node<'_>) -> Option<Message> {
    let Part::Aspect(inner) = node.field.part else { return found(node, earlier) };
    let mut i = 0;
    while i < inner.fields.len() {
        let said = shared(&Node { field: &inner.fields[i], holder: inner, above: Some(node) }, earlier);
        if said.is_some() {
            return said;
        }
        i += 1;
    }
    None
}

/// What is to be said if the component `leaf` is within `earlier`.
const fn found(leaf: &Node<'_>, earlier: &Node<'_>) -> Option<Message> {
    if let Part::Aspect(inner) = earlier.field.part {
        let mut i = 0;
        while i < inner.fields.len() {
            let said = found(leaf, &Node { field: &inner.fields[i], holder: inner, above: Some(earlier) });
            if said.is_some() {
                return said;
            }
            i += 1;
        }
        return None;
    }
    let Part::Component(component) = earlier.field.part else { return None };
    if !leaf.is(earlier) {
        return None;
    }
    let name = component.name;
    let text = Message::new().text("component ").quoted(name).text(" is in aspect ");
    let text = text.quoted(outermost(leaf).identity.name).text(" twice: at `");
    let text = leaf.path(earlier.path(text).text("` and at `"));
    Some(text.text("`; an entity holds one ").quoted(name).text(": remove one of the two"))
}

/// The aspect at the root of a node's tree.
const fn outermost<'a>(node: &Node<'a>) -> &'a Tree {
    match node.above {
        Some(above) => outermost(above),
        None => node.holder,
    }
}

/// Alternative `at` is not one that is never taken: whoever has all its components would have all of an earlier one.
#[track_caller]
pub const fn check_alternative(meta: &str, alternatives: &[Field], at: usize) {
    let (mut i, later) = (0, &alternatives[at]);
    while i < at {
        let earlier = &alternatives[i];
        if within(earlier, later) {
            let text = Message::new().text("alternative ").quoted(later.name).text(" of ").quoted(meta);
            let text = text.text(" is never taken: who has all of ").quoted(later.ty).text(" has all of ");
            let text = text.quoted(earlier.ty).text(", and ").quoted(earlier.name);
            text.text(" comes first; the alternative that asks for more comes first").panic();
        }
        i += 1;
    }
}

/// Whether all components of `field` are known to be in `other`.
const fn within(field: &Field, other: &Field) -> bool {
    match &field.part {
        Part::Component(_) => has(other, field),
        Part::Aspect(tree) => {
            let mut i = 0;
            while i < tree.fields.len() {
                if !within(&tree.fields[i], other) {
                    return false;
                }
                i += 1;
            }
            true
        }
    }
}

/// Whether the component in `leaf` is known to be in `field`. Of generic types nothing is known.
const fn has(field: &Field, leaf: &Field) -> bool {
    match (&field.part, &leaf.part) {
        (Part::Component(one), Part::Component(two)) => one.is(two) && !one.generic,
        (Part::Aspect(tree), _) => {
            let mut i = 0;
            while i < tree.fields.len() {
                if has(&tree.fields[i], leaf) {
                    return true;
                }
                i += 1;
            }
            false
        }
        _ => false,
    }
}
