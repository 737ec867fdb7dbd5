//! The section of a world, and of parts: a list of the components, resources and events.

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, Lit, Meta, Type};

use super::behind;
use crate::model::world::{Entry, World};
use crate::names::{source, text, ungroup};
use crate::parse::include::given::bare;

/// The entries by section, and the schedules of a world.
pub(in crate::expand) fn of_world(world: &World, with_schedules: bool) -> TokenStream {
    let sections =
        [("Components", &world.components), ("Resources", &world.resources), ("Events", &world.events)];
    let mut shown = String::new();
    for (title, entries) in sections.into_iter().filter(|(_, entries)| !entries.is_empty()) {
        shown.push_str(&format!("# {title}\n"));
        entries.iter().for_each(|entry| shown.push_str(&line(entry)));
    }
    if with_schedules && !world.schedules.is_empty() {
        shown.push_str("# Schedules\n");
        for schedule in &world.schedules {
            let (name, sentence) = (schedule.name(), sentence(&schedule.attributes));
            shown.push_str(&format!("- [`{name}`](Self::{name}){sentence}\n"));
        }
    }
    behind(&shown)
}

/// `` - `position`: [`Position`]. The documentation's first sentence ``
fn line(entry: &Entry) -> String {
    let (field, sentence) = (text(&entry.field), sentence(&entry.attributes));
    let of = entry
        .included
        .as_ref()
        .map(|included| format!(" of [`{}`](struct@{})", included.of(), source(&bare(&included.path))));
    format!("- `{field}`: {}{}{sentence}\n", ty(entry), of.unwrap_or_default())
}

/// The type, as a link where its path is known here and it is not compiled out.
fn ty(entry: &Entry) -> String {
    match ungroup(&entry.ty) {
        Type::Path(path) if path.qself.is_none() && entry.included.is_none() && entry.cfg().is_empty() => {
            format!("[`{}`]", source(path))
        }
        _ => format!("`{}`", entry.spelled()),
    }
}

/// The first line of the documentation, as the rest of a list's line.
fn sentence(attributes: &[Attribute]) -> String {
    let first = attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let first = first.as_deref().and_then(|text| text.trim().lines().next().map(str::to_owned));
    first.filter(|text| !text.is_empty()).map(|text| format!(". {text}")).unwrap_or_default()
}
