//! The rules of aspects.

use super::bundle::{NO_FIELDS, holds_its_fields};
use super::marker::{has_parts, owns_its_data};
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

fn is_a_struct_with_fields(Aspect { bundle, .. }: &Aspect, errors: &mut Diagnostics) {
    let name = bundle.subject.name();
    let other = |found: &str| {
        format!(
            "aspect `{name}` is {found}: an aspect is a struct whose fields are components and aspects; an enum of alternatives is a \
             `#[derive(MetaAspect)]`"
        )
    };
    let empty = format!("aspect `{name}` is empty: an aspect holds at least one component; {NO_FIELDS}");
    let item = (&bundle.subject.ident, bundle.fields.is_empty());
    has_parts(bundle.not_a_struct, item, other, &empty, errors);
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
