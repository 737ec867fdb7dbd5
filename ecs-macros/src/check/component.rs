//! The rules of components.

use super::marker::{can_be_saved, owns_its_data};
use crate::diagnostic::Diagnostics;
use crate::model::component::{Component, Shape};
use crate::names::source;

pub(crate) fn check(component: &Component, errors: &mut Diagnostics) {
    owns_its_data(&component.subject, "component", errors);
    is_no_union(component, errors);
    dereferences_to_one_field(component, errors);
    requires_each_once(component, errors);
    can_be_saved(&component.subject, "component", &component.saving, errors);
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
    errors.at(
        &deref.option,
        format!(
            "component `{name}` is {found}: `deref` needs a struct with exactly one field, to dereference to"
        ),
    );
}

fn requires_each_once(component: &Component, errors: &mut Diagnostics) {
    let name = component.subject.name();
    let mut seen = Vec::new();
    for ty in &component.requires {
        let required = source(ty);
        if required == name {
            errors.at(ty, format!("component `{name}` requires itself: leave `{required}` out"));
        } else if seen.contains(&required) {
            errors.at(ty, format!("component `{name}` requires `{required}` twice: once is enough"));
        }
        seen.push(required);
    }
}
