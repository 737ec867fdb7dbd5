//! The rules of meta-aspects.

use super::marker::{has_parts, owns_its_data};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::meta_aspect::MetaAspect;
use crate::names::text;

pub(crate) fn check(meta: &MetaAspect, errors: &mut Diagnostics) {
    owns_its_data(&meta.subject, "alternatives", errors);
    is_an_enum_with_variants(meta, errors);
    holds_one_in_each(meta, errors);
}

fn is_an_enum_with_variants(meta: &MetaAspect, errors: &mut Diagnostics) {
    let name = meta.subject.name();
    let of = "`MetaAspect` is for an enum, each variant of which holds an aspect or a component";
    let (other, empty) = (
        |found: &str| format!("`{name}` is {found}: {of}"),
        format!("`{name}` has no variants: write one for each aspect"),
    );
    let item = (&meta.subject.ident, meta.alternatives.is_empty());
    has_parts(meta.not_an_enum, item, other, &empty, errors);
}

fn holds_one_in_each(meta: &MetaAspect, errors: &mut Diagnostics) {
    let name = meta.subject.name();
    for alternative in &meta.alternatives {
        let variant = text(&alternative.ident);
        let Some(content) = &alternative.content else {
            errors.push(alternative.ident.wrong(format!(
                "alternative `{variant}` of `{name}` does not hold one aspect: write `{variant}(Name)` with the \
                 type of an aspect or a component, or `{variant}(Name, #[one_of] Other)` with one of the \
                 alternatives of `Other` beside it"
            )));
            continue;
        };
        if let Some(earlier) = &alternative.same_as {
            let (ty_name, earlier) = (content.spelled(), text(earlier));
            let ty = content.all().or(content.one_of());
            errors.push(ty.wrong(format!(
                "alternative `{variant}` of `{name}` is never taken: `{earlier}` holds `{ty_name}`, too, and \
                     comes first"
            )));
        }
    }
}
