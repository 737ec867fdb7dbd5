//! The rules of worlds.
//!
//! An entry that breaks one is mended or taken out after it was reported, so that the struct is there all the
//! same and nothing is said twice.

use std::collections::HashMap;

use quote::{ToTokens, format_ident};
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token};

use crate::diagnostic::Diagnostics;
use crate::model::event::FULL;
use crate::model::world::{Entry, World};
use crate::names::{list, nearest, source, text};

/// How many of each section a world can have.
const LIMITS: [usize; 3] = [512, 256, 256];

/// What one entry of each section is called.
const NOUNS: [&str; 3] = ["component", "resource", "event"];

/// What can be derived for a world.
const DERIVES: [&str; 1] = ["Clone"];

pub(crate) fn check(world: &mut World, errors: &mut Diagnostics) {
    is_not_generic(world, errors);
    derives_only_clone(world, errors);
    fits_the_limits(world, errors);
    entries_have_names(world, errors);
    bounds_are_possible(world, errors);
    types_are_distinct(world, errors);
    fields_are_distinct(world, errors);
    super::schedule::check(world, errors);
}

fn is_not_generic(world: &mut World, errors: &mut Diagnostics) {
    let generics = std::mem::take(&mut world.generics);
    if !generics.params.is_empty() {
        let name = world.name();
        errors.at(
            &generics,
            format!("world `{name}` must not be generic: its components are numbered for one type"),
        );
    } else if generics.where_clause.is_some() {
        let name = world.name();
        errors.at(&generics.where_clause, format!("world `{name}` must not have a where clause: remove it"));
    }
}

fn derives_only_clone(world: &World, errors: &mut Diagnostics) {
    let name = world.name();
    let derived: Vec<Path> =
        world.attributes.iter().flat_map(|attribute| derives(attribute, errors)).collect();
    for path in derived {
        let derived = source(&path);
        if !path.segments.last().is_some_and(|last| DERIVES.contains(&text(&last.ident).as_str())) {
            let always = if derived == "Debug" { "; `Debug` is there without" } else { "" };
            errors.at(
                &path,
                format!(
                    "`derive({derived})` is not supported on world `{name}`: only {}{always}",
                    list(&DERIVES)
                ),
            );
        }
    }
}

/// The paths in a `#[derive(..)]`.
fn derives(attribute: &Attribute, errors: &mut Diagnostics) -> Vec<Path> {
    if !attribute.path().is_ident("derive") {
        return Vec::new();
    }
    let paths = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
    errors.take(paths).unwrap_or_default().into_iter().collect()
}

fn fits_the_limits(world: &mut World, errors: &mut Diagnostics) {
    let name = world.name();
    for ((section, entries), limit) in world.sections_mut().into_iter().zip(LIMITS) {
        if let Some(first) = entries.get(limit) {
            let count = entries.len();
            let cure = if section == "components" {
                "join some that always go together"
            } else {
                "join some into one struct"
            };
            errors
                .at(&first.ty, format!("world `{name}` has {count} {section}: at most {limit} fit; {cure}"));
            entries.truncate(limit);
        }
    }
}

fn entries_have_names(world: &mut World, errors: &mut Diagnostics) {
    let name = world.name();
    for ((section, entries), noun) in world.sections_mut().into_iter().zip(NOUNS) {
        for entry in entries.iter().filter(|entry| entry.nameless) {
            let ty = entry.spelled();
            errors.at(
                &entry.ty,
                format!(
                    "world `{name}`, section `{section}`: `{ty}` cannot be a {noun}: wrap it in a struct of your own, \
                     and list that"
                ),
            );
        }
        entries.retain(|entry| !entry.nameless);
    }
}

fn bounds_are_possible(world: &World, errors: &mut Diagnostics) {
    let name = world.name();
    for entry in &world.events {
        let (event, options) = (format!("event `{}` of world `{name}`", entry.spelled()), &entry.event);
        if let (Some(keep), None) = (&options.keep, options.kept()) {
            let (value, most) = (source(&keep.value), u32::MAX);
            errors.at(&keep.value, format!("`keep` of {event} is a number from 1 to {most}, not `{value}`"));
        }
        if let (Some(full), None) = (&options.full, options.variant()) {
            let (value, words) = (source(&full.value), FULL.map(|(word, _)| word));
            let hint = nearest(&value, &words).map(|near| format!(": did you mean `{near}`?"));
            let [words, hint] = [list(&words), hint.unwrap_or_default()];
            errors.at(&full.value, format!("`full` of {event} is one of {words}, not `{value}`{hint}"));
        }
        if let (Some(full), None, false) = (&options.full, &options.keep, options.broken) {
            errors.at(
                full,
                format!(
                    "{event} has `full` without `keep`: without a bound it is never full; say how many are kept, \
                     `keep = 1024`, or remove this"
                ),
            );
        }
    }
}

fn types_are_distinct(world: &mut World, errors: &mut Diagnostics) {
    let name = world.name();
    for ((_, entries), noun) in world.sections_mut().into_iter().zip(NOUNS) {
        let mut seen: HashMap<String, String> = HashMap::new();
        entries.retain(|entry| {
            let (ty, field, has_cfg) = (entry.spelled(), text(&entry.field), !entry.cfg().is_empty());
            match seen.get(&ty) {
                Some(first) if !has_cfg => {
                    let fields = if *first == field {
                        format!("both in field `{field}`")
                    } else {
                        format!("fields `{first}` and `{field}`")
                    };
                    let cure = format!(
                        "one `{ty}` is enough; wrap the other in a type of its own if it means something else"
                    );
                    errors.at(&entry.ty, format!("world `{name}` has {noun} `{ty}` twice: {fields}; {cure}"));
                    false
                }
                _ => {
                    if !has_cfg {
                        seen.insert(ty, field);
                    }
                    true
                }
            }
        });
    }
}

fn fields_are_distinct(world: &mut World, errors: &mut Diagnostics) {
    let name = world.name();
    let mut seen: HashMap<String, (&'static str, String)> = HashMap::new();
    for (section, entries) in world.sections_mut() {
        for entry in entries.iter_mut().filter(|entry| entry.cfg().is_empty()) {
            let field = text(&entry.field);
            if let Some((other, ty)) = seen.get(&field) {
                errors.at(&entry.field, twice(&name, &field, (other, ty), (section, entry)));
                entry.field = format_ident!("{}_{}_{}", field, section, entry.index);
            }
            seen.insert(field, (section, entry.spelled()));
        }
    }
}

fn twice(world: &str, field: &str, first: (&str, &str), second: (&str, &Entry)) -> String {
    let (section, entry) = second;
    let ty = entry.ty.to_token_stream();
    let sections = if first.0 == section {
        format!("section `{section}`")
    } else {
        format!("sections `{}` and `{section}`", first.0)
    };
    format!(
        "world `{world}`, {sections}: two fields are called `{field}`, of `{}` and of `{}`; give one \
        another name, \
         `name: {}`",
        first.1,
        source(&ty),
        source(&ty)
    )
}
