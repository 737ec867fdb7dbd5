//! The rules of components.

use syn::Type;

use super::marker::{can_be_saved, owns_its_data};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::component::{Component, Shape};
use crate::names::{source, text};
use crate::parse::component::Required;

pub(crate) fn check(component: &Component, errors: &mut Diagnostics) {
    owns_its_data(&component.subject, "component", errors);
    is_no_union(component, errors);
    dereferences_to_one_field(component, errors);
    requires_each_once(component, errors);
    names_others_once(component, "excludes", component.excludes.iter(), errors);
    disables_others_once(component, errors);
    is_found_by_something(component, errors);
    has_one_rule(component, errors);
    is_immutable_by_choice(component, errors);
    has_values_to_pack(component, errors);
    can_be_saved(&component.subject, "component", &component.saving, errors);
}

/// Refuses the component itself and a second entry in a list of components. `verb` is that of the
/// list.
pub(super) fn names_others_once<'t>(
    component: &Component,
    verb: &str,
    types: impl Iterator<Item = &'t Type>,
    errors: &mut Diagnostics,
) {
    let (name, mut seen) = (component.subject.name(), Vec::new());
    for ty in types {
        let shown = source(ty);
        if shown == name {
            errors.at(ty, format!("component `{name}` {verb} itself: leave `{shown}` out"));
        } else if seen.contains(&shown) {
            errors.at(ty, format!("component `{name}` {verb} `{shown}` twice: once is enough"));
        } else if verb == "excludes" && component.requires.iter().any(|other| source(&other.ty) == shown) {
            let message = format!("component `{name}` both requires and excludes `{shown}`: leave out one");
            errors.at(ty, message);
        }
        seen.push(shown);
    }
}

fn disables_others_once(component: &Component, errors: &mut Diagnostics) {
    let Some(disables) = &component.disables else { return };
    if component.relation {
        errors.push(disables.option.wrong(format!(
            "relation `{}` has `disables`: only a component that is no relation can disable; insert another one with it",
            component.subject.name()
        )));
    }
    names_others_once(component, "disables", disables.components.iter(), errors);
}

/// Checks `index` and `key`, which exclude each other and some other options.
fn is_found_by_something(component: &Component, errors: &mut Diagnostics) {
    let Some(index) = &component.index else { return };
    let (name, option) = (component.subject.name(), text(&index.parsed.option));
    let at = &index.parsed.option;
    if let Shape::Tag = component.shape {
        errors.push(at.wrong(format!(
            "component `{name}` is a tag and has no value to be found by: `query::<Entity>().filter::<With<{name}>>()` \
             returns the entity that has it"
        )));
    } else if index.parsed.again.is_some() {
        let cure = if index.parsed.ordered { "; write `key(ordered)` for one in order" } else { "" };
        errors.at(at, format!("component `{name}` is both `index` and `key`: a key has an index{cure}"));
    } else if component.unique {
        errors.push(at.wrong(format!(
            "component `{name}` is `unique`: `world.unique::<{name}>()` returns the entity that has it"
        )));
    } else if component.tracked && index.parsed.is_key {
        errors.push(at.wrong(format!(
            "component `{name}` is a key, and a key cannot be changed in place: leave `tracked` out; `Entered` and \
             `Exited` find the entities that got or lost one"
        )));
    } else if let (Some(field), None) = (&index.parsed.field, &index.ty) {
        let found = match component.shape {
            Shape::Struct => format!("has no field `{}`", source(field)),
            _ => "is no struct with fields".to_owned(),
        };
        errors
            .push(field.wrong(format!(
                "component `{name}` {found}: `{option} = ..` names one by which it is found"
            )));
    }
}

/// Checks that a component with a hook has no other rule, and is not tracked.
fn has_one_rule(component: &Component, errors: &mut Diagnostics) {
    let Some((option, _)) = &component.hook else { return };
    let name = component.subject.name();
    let other = if component.relation {
        "is a relation"
    } else if component.unique {
        "is `unique`"
    } else if component.index.is_some() {
        "has an index"
    } else if component.tracked {
        return errors.push(option.wrong(format!(
            "component `{name}` has a `hook` and is `tracked`: its values are replaced and not changed in place, which the hook \
             sees; leave one of the two out"
        )));
    } else {
        return;
    };
    errors.push(option.wrong(format!(
        "component `{name}` has a `hook` and {other}: a component has one rule; let the hook do what the other one does, or \
         move one of them to another component"
    )));
}

/// Checks `immutable`, which needs a value that could otherwise be changed in place.
fn is_immutable_by_choice(component: &Component, errors: &mut Diagnostics) {
    let Some(option) = &component.immutable else { return };
    let why = if component.relation {
        "a relation, which is never changed in place"
    } else if component.index.as_ref().is_some_and(|index| index.parsed.is_key) {
        "a key, which is never changed in place"
    } else if component.hook.is_some() {
        "a component with a hook, which is never changed in place"
    } else if let Shape::Tag = component.shape {
        "a tag, which has no value that could be changed"
    } else {
        return;
    };
    let name = component.subject.name();
    errors.push(option.wrong(format!("component `{name}` is {why}: leave `immutable` out")));
}

/// Checks `storage = "packed"`, which needs values.
fn has_values_to_pack(component: &Component, errors: &mut Diagnostics) {
    if let (Some(option), Shape::Tag) = (&component.packed, &component.shape) {
        let name = component.subject.name();
        errors.push(option.wrong(format!(
            "component `{name}` is a tag, which takes one bit for each entity and has no values to pack: leave `storage` out"
        )));
    }
}

fn is_no_union(component: &Component, errors: &mut Diagnostics) {
    if let Shape::Union(token) = &component.shape {
        let name = component.subject.name();
        errors.at(token, format!("component `{name}` is a union: a component is a struct or an enum"));
    }
}

fn dereferences_to_one_field(component: &Component, errors: &mut Diagnostics) {
    let Some(deref) = component.deref.as_ref().filter(|deref| deref.field.is_none()) else { return };
    let name = component.subject.name();
    let found = match component.shape {
        Shape::Enum => "an enum".to_owned(),
        Shape::Union(_) => "a union".to_owned(),
        Shape::Tag | Shape::Struct => format!("a struct with {} fields", deref.count),
    };
    errors.push(deref.option.wrong(format!(
        "component `{name}` is {found}: `deref` needs a struct with exactly one field, to dereference to"
    )));
}

fn requires_each_once(component: &Component, errors: &mut Diagnostics) {
    let name = component.subject.name();
    names_others_once(component, "requires", component.requires.iter().map(|required| &required.ty), errors);
    for Required { ty, .. } in &component.unnamed {
        let function = source(ty);
        errors.push(ty.wrong(format!(
            "component `{name}` requires the result of `{function}`, whose type is not known here: name the component before it, \
             `requires(Armor = {function}(..))`"
        )));
    }
}
