//! Compile-time checks of aspects: an aspect has no component twice, and each alternative of a meta
//! aspect can be chosen.

use super::AspectPart;
use super::tree::{AspectTreeField, Part, Tree};
use crate::base::message::{Message, message};
use crate::base::type_identity::same;

/// A field in a tree of aspects, with the path to it.
struct AspectPath<'a> {
    field: &'a AspectTreeField,
    /// The aspect that declares the field.
    holder: &'a Tree,
    /// The field that holds that aspect; `None` at the root.
    parent: Option<&'a AspectPath<'a>>,
}

impl AspectPath<'_> {
    /// Whether both fields are known to hold the same component. Generic types are known to be the
    /// same if both fields spell them alike in one module.
    const fn is_same_component(&self, other: &AspectPath<'_>) -> bool {
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

    /// Appends the path to a message: `Monster.body.health`.
    const fn path(&self, text: Message) -> Message {
        let text = match self.parent {
            Some(parent) => parent.path(text),
            None => text.text(self.holder.identity.name),
        };
        message!(text => "." text(self.field.name))
    }
}

/// Checks that field `at` of an aspect has no component that an earlier field of the aspect has.
/// The fields of an inner aspect are checked against each other only if it is generic: otherwise
/// its own declaration checks them.
///
/// # Panics
/// If a component occurs twice; in a constant, that is a compile error.
#[track_caller]
pub const fn check_field<A: AspectPart>(at: usize) {
    if let Part::Aspect(tree) = A::PART
        && let Some(message) = duplicate_component(tree, at, None)
    {
        message.panic();
    }
}

/// The error message for field `at` of `holder`; `None` if there is no error.
const fn duplicate_component(holder: &Tree, at: usize, parent: Option<&AspectPath<'_>>) -> Option<Message> {
    let node = AspectPath { field: &holder.fields[at], holder, parent };
    // the fields of any other aspect are checked by its own declaration
    if let Part::Aspect(inner) = node.field.part
        && inner.identity.generic
    {
        let mut i = 0;
        while i < inner.fields.len() {
            let found = duplicate_component(inner, i, Some(&node));
            if found.is_some() {
                return found;
            }
            i += 1;
        }
    }
    // the field against each one before it, so that each pair is compared once
    let mut i = 0;
    while i < at {
        let found = common_component(&node, &AspectPath { field: &holder.fields[i], holder, parent });
        if found.is_some() {
            return found;
        }
        i += 1;
    }
    None
}

/// The error message if a component within `node` is within `earlier`, too.
const fn common_component(node: &AspectPath<'_>, earlier: &AspectPath<'_>) -> Option<Message> {
    let Part::Aspect(inner) = node.field.part else { return find_component(node, earlier) };
    let mut i = 0;
    while i < inner.fields.len() {
        let path = AspectPath { field: &inner.fields[i], holder: inner, parent: Some(node) };
        let message = common_component(&path, earlier);
        if message.is_some() {
            return message;
        }
        i += 1;
    }
    None
}

/// The error message if the component of field `leaf` is within `earlier`, too.
const fn find_component(leaf: &AspectPath<'_>, earlier: &AspectPath<'_>) -> Option<Message> {
    // look within an aspect, down to its components
    if let Part::Aspect(inner) = earlier.field.part {
        let mut i = 0;
        while i < inner.fields.len() {
            let path = AspectPath { field: &inner.fields[i], holder: inner, parent: Some(earlier) };
            let message = find_component(leaf, &path);
            if message.is_some() {
                return message;
            }
            i += 1;
        }
        return None;
    }
    // a component: its two paths are the message
    let Part::Component(component) = earlier.field.part else { return None };
    if !leaf.is_same_component(earlier) {
        return None;
    }
    let name = component.name;
    let text = message!(
        "component " quoted(name) " is in aspect " quoted(outermost(leaf).identity.name) " twice: at `"
    );
    let text = leaf.path(earlier.path(text).text("` and at `"));
    Some(message!(text => "`; an entity holds one " quoted(name) ": remove one of the two"))
}

/// The aspect at the root of a path.
const fn outermost<'a>(path: &AspectPath<'a>) -> &'a Tree {
    match path.parent {
        Some(parent) => outermost(parent),
        None => path.holder,
    }
}

/// Checks that alternative `at` of a meta aspect can be chosen: that no earlier alternative needs
/// only components of this one.
///
/// # Panics
/// If it cannot be chosen; in a constant, that is a compile error.
#[track_caller]
pub const fn check_alternative(meta: &str, alternatives: &[AspectTreeField], at: usize) {
    let (mut i, later) = (0, &alternatives[at]);
    while i < at {
        let earlier = &alternatives[i];
        if within(earlier, later) {
            message!(
                "alternative " quoted(later.name) " of " quoted(meta)
                " is never taken: an entity that has all of " quoted(later.ty) " has all of "
                quoted(earlier.ty) ", and " quoted(earlier.name)
                " comes first; put the alternative with more components first"
            )
            .panic();
        }
        i += 1;
    }
}

/// Whether all components of `field` are known to be among those of `other`.
const fn within(field: &AspectTreeField, other: &AspectTreeField) -> bool {
    match &field.part {
        Part::Component(_) => has(other, field),
        Part::Aspect(tree) => !any!(tree.fields, |field| !within(field, other)),
    }
}

/// Whether the component of `leaf` is known to be among those of `field`; false for a generic
/// component.
const fn has(field: &AspectTreeField, leaf: &AspectTreeField) -> bool {
    match (&field.part, &leaf.part) {
        (Part::Component(one), Part::Component(two)) => one.is(two) && !one.generic,
        (Part::Aspect(tree), _) => any!(tree.fields, |field| has(field, leaf)),
        _ => false,
    }
}
