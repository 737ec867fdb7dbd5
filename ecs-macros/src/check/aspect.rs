//! The rules of aspects.

use super::bundle::holds_its_fields;
use super::marker::owns_its_data;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::aspect::Aspect;
use crate::model::bundle::shown;
use crate::names::source;

pub(crate) fn check(aspect: &Aspect, errors: &mut Diagnostics) {
    owns_its_data(&aspect.bundle.subject, "aspect", errors);
    is_a_struct_with_fields(aspect, errors);
    holds_each_once(aspect, errors);
    let noun = format!("aspect `{}`", aspect.bundle.subject.name());
    holds_its_fields(&aspect.bundle.fields, &noun, errors);
    overrides_each_once(aspect, errors);
}

fn is_a_struct_with_fields(aspect: &Aspect, errors: &mut Diagnostics) {
    let (bundle, name) = (&aspect.bundle, aspect.bundle.subject.name());
    if let Some((found, span)) = bundle.not_a_struct {
        errors.push(span.wrong(format!(
            "aspect `{name}` is {found}: an aspect is a struct whose fields are components and aspects; an enum \
             of alternatives is a `#[derive(MetaAspect)]`"
        )));
    } else if bundle.fields.is_empty() {
        errors.push(bundle.subject.ident.wrong(format!(
            "aspect `{name}` is empty: an aspect holds at least one component; a struct without fields that \
                 marks entities is a component"
        )));
    }
}

/// Refuses two fields whose types have the same spelling. Constants in the expansion find the other
/// duplicates.
fn holds_each_once(aspect: &Aspect, errors: &mut Diagnostics) {
    let name = aspect.bundle.subject.name();
    for field in &aspect.bundle.fields {
        let Some(earlier) = &field.same_as else { continue };
        let (part, first, second) = (source(&field.ty), shown(earlier), shown(&field.member));
        errors.push(field.ty.wrong(format!(
            "`{part}` is in aspect `{name}` twice: at `{name}.{first}` and at `{name}.{second}`; an entity holds \
             one value of each component: remove one of the two"
        )));
    }
}

/// Refuses an override that a later override of the same field replaces.
fn overrides_each_once(aspect: &Aspect, errors: &mut Diagnostics) {
    for (field, settings) in aspect.bundle.fields.iter().zip(&aspect.settings) {
        let field = shown(&field.member);
        for (at, later) in settings.overrides.iter().enumerate() {
            let void = settings.overrides[..at].iter().find(|earlier| earlier.path.starts_with(&later.path));
            if let Some(earlier) = void {
                let (earlier, later_path) = (earlier.path.join("."), later.path.join("."));
                errors.push(later.tokens.wrong(format!(
                    "field `{field}` overrides `.{earlier}` and then `.{later_path}`, which makes the first void: \
                     remove one of the two"
                )));
            }
        }
    }
}
