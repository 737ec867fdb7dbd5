//! The rules of types that derive `Reflect`.

use std::collections::HashSet;

use proc_macro2::Span;

use super::marker::owns_its_data;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::bundle::shown;
use crate::model::reflect::{Name, Parts, Reflect, Shape, Style};
use crate::names::{list, source};

pub(crate) fn check(reflect: &Reflect, errors: &mut Diagnostics) {
    let name = reflect.subject.name();
    if !cfg!(feature = "serde") {
        errors.push(
            Span::call_site()
                .wrong(format!("`{name}` derives `Reflect`: enable the feature `serde` of the crate `ecs`")),
        );
        return;
    }
    // an equal message of another derive is shown once
    owns_its_data(&reflect.subject, reflect.noun.unwrap_or("reflected type"), errors);
    has_fields_with_addresses(reflect, errors);
    is_not_derived_by_serde(reflect, errors);
    reflect.parts().into_iter().for_each(|parts| has_options_with_effect(parts, errors));
    has_different_names(reflect, errors);
    has_fields_that_own_their_data(reflect, errors);
}

/// Refuses references, which cannot be read. A type with a lifetime parameter is one mistake.
fn has_fields_that_own_their_data(reflect: &Reflect, errors: &mut Diagnostics) {
    let fields = reflect.parts().into_iter().flat_map(Parts::written);
    for field in fields.filter(|field| reflect.subject.lifetimes.is_empty() && field.borrows()) {
        let name = shown(&field.member);
        errors.push(field.ty.wrong(format!(
            "field `{name}` borrows its value, which is read from a file: hold a `String` for a `&str`, a `Vec` for a slice, or \
             leave the field out with `#[reflect(skip)]`"
        )));
    }
}

/// Refuses unions, and packed structs, whose fields cannot be borrowed.
fn has_fields_with_addresses(reflect: &Reflect, errors: &mut Diagnostics) {
    let name = reflect.subject.name();
    if let (Shape::Union(token), None | Some("resource" | "event")) = (&reflect.shape, reflect.noun) {
        errors.at(token, format!("`{name}` is a union: `Reflect` is for structs and enums"));
    }
    if let Some(packed) = &reflect.packed {
        errors.push(packed.wrong(format!(
            "`{name}` is packed, so that its fields cannot be borrowed: remove `{}`, or derive `Serialize` and \
             `Deserialize` of serde in place of `Reflect`",
            source(packed)
        )));
    }
}

/// Refuses a second implementation of the traits of serde.
fn is_not_derived_by_serde(reflect: &Reflect, errors: &mut Diagnostics) {
    if !reflect.derived.is_empty() {
        let (name, derived) = (reflect.subject.name(), list(&reflect.derived).replace(", ", " and "));
        errors.push(Span::call_site().wrong(format!(
            "`{name}` derives `Reflect`, which implements `Serialize` and `Deserialize`, too: remove {derived} from the \
             derives"
        )));
    }
}

/// Refuses options that would change nothing.
fn has_options_with_effect(parts: &Parts, errors: &mut Diagnostics) {
    for (index, field) in parts.fields.iter().enumerate() {
        let (options, name) = (&field.options, shown(&field.member));
        if let (Some(_), Some(rename)) = (&options.skip, &options.rename) {
            errors.push(
                rename.wrong(format!("field `{name}` is skipped, and has no name in files: remove `rename`")),
            );
        } else if let (Some(rename), false) = (&options.rename, parts.style == Style::Named) {
            errors.at(
                rename,
                format!("field `{name}` has no name, and is written without one: remove `rename`"),
            );
        }
        let Some(default) = &options.default else { continue };
        // a list without names lacks values at its end only
        let is_last = || {
            let mut later = parts.fields[index..].iter().map(|field| &field.options);
            later.all(|options| options.skip.is_some() || options.default.is_some())
        };
        let cause = match (&options.skip, parts.style) {
            (Some(_), _) if options.default_path.is_some() => continue,
            (Some(_), _) => "is skipped, and has its `Default` value",
            (None, Style::Newtype) => "is the whole value, and is never left out",
            (None, Style::Tuple) if !is_last() => {
                "has no name, and is not left out before a field without `default`"
            }
            (None, _) => continue,
        };
        errors.at(default, format!("field `{name}` {cause}: remove `default`"));
    }
}

/// Refuses a second field or variant with the name of an earlier one.
fn has_different_names(reflect: &Reflect, errors: &mut Diagnostics) {
    let mut check = |noun: &str, names: &mut dyn Iterator<Item = &Name>| {
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(&name.text) {
                let text = &name.text;
                errors.at(name.span, format!("a second {noun} is called `{text}`: give it another name"));
            }
        }
    };
    for parts in reflect.parts() {
        check("field", &mut parts.written().filter(|_| parts.style == Style::Named).map(|field| &field.name));
    }
    if let Shape::Enum(variants) = &reflect.shape {
        check("variant", &mut variants.iter().map(|variant| &variant.name));
    }
}
