//! The rules of bundles.

use super::marker::{has_parts, owns_its_data};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::bundle::{Bundle, Field, plain, shown};
use crate::model::parameter::option;
use crate::names::source;

pub(crate) fn check(bundle: &Bundle, errors: &mut Diagnostics) {
    owns_its_data(&bundle.subject, "bundle", errors);
    is_a_struct_with_fields(bundle, errors);
    holds_each_once(bundle, errors);
    holds_its_fields(&bundle.fields, &format!("bundle `{}`", bundle.subject.name()), errors);
}

pub(super) const NO_FIELDS: &str = "a struct without fields that marks entities is a component";

fn is_a_struct_with_fields(bundle: &Bundle, errors: &mut Diagnostics) {
    let name = bundle.subject.name();
    let other =
        |found: &str| format!("bundle `{name}` is {found}: a bundle is a struct whose fields are components");
    let empty = format!("bundle `{name}` is empty: a bundle holds at least one component; {NO_FIELDS}");
    let item = (&bundle.subject.ident, bundle.fields.is_empty());
    has_parts(bundle.not_a_struct, item, other, &empty, errors);
}

/// Refuses an `Option` in place of a component, and values that are no components. `noun` names the
/// item in messages, such as ``bundle `Body` ``.
pub(super) fn holds_its_fields(fields: &[Field], noun: &str, errors: &mut Diagnostics) {
    for field in fields {
        if let Some(ty) = plain(&field.ty) {
            let (member, ty) = (shown(&field.member), source(ty));
            errors.push(field.ty.wrong(format!(
                "field `{member}` of {noun} is `{ty}`, which is no component: declare one that holds it, \
                     `#[derive(Component)] struct Example({ty});`, and list it in the world"
            )));
        }
        let Some(part) = option(&field.ty) else { continue };
        let (member, part) = (shown(&field.member), source(part));
        errors.push(field.ty.wrong(format!(
            "field `{member}` of {noun} is an `Option`, and an entity gets all of its fields: write `{part}`, or leave \
             the field out, and insert the component into the entities that have it"
        )));
    }
}

fn holds_each_once(bundle: &Bundle, errors: &mut Diagnostics) {
    let name = bundle.subject.name();
    for field in &bundle.fields {
        let Some(earlier) = &field.same_as else { continue };
        let (component, first, second) = (source(&field.ty), shown(earlier), shown(&field.member));
        errors.push(field.ty.wrong(format!(
            "component `{component}` is in bundle `{name}` twice: fields `{first}` and \
                `{second}`; an entity \
                     holds one `{component}`"
        )));
    }
}
