//! The rules of worlds.
//!
//! After a report, the check corrects or removes the entry, so that the struct is still emitted and
//! the compiler does not report the mistake again.

use std::collections::HashMap;

use quote::format_ident;
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token, Type};

use crate::built_in::{Argument, BuiltIn};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::event::{FULL, Keep};
use crate::model::world::{Entry, Section, World};
use crate::names::{field_of, list, nearest, source, text, ungroup};
use crate::parse::include::entries::Included;
use crate::source_file::{is_not_imported, trait_as_type};

/// The traits that can be derived for a world.
const DERIVES: [&str; 4] = ["Clone", "Serialize", "Deserialize", "Reflect"];

pub(crate) fn check(world: &mut World, errors: &mut Diagnostics) {
    is_not_generic(world, errors);
    is_not_called_like_the_trait(world, errors);
    derives_what_there_is(world, errors);
    aliases_are_former_names(world, errors);
    check_entries(world, errors);
    super::steps::check(world, errors);
    super::schedule::check(world, errors);
}

/// The rules of the sections, which are also those of parts.
pub(super) fn check_entries(world: &mut World, errors: &mut Diagnostics) {
    fits_the_limits(world, errors);
    entries_have_names(world, errors);
    entries_are_data(world, errors);
    names_are_not_generated(world, errors);
    bounds_are_possible(world, errors);
    types_are_distinct(world, errors);
    fields_are_distinct(world, errors);
}

fn is_not_generic(world: &mut World, errors: &mut Diagnostics) {
    let generics = std::mem::take(&mut world.generics);
    if !generics.params.is_empty() {
        let name = world.name();
        errors.push(
            generics.wrong(format!(
                "world `{name}` must not be generic: its components are numbered for one type"
            )),
        );
    } else if generics.where_clause.is_some() {
        let name = world.name();
        errors.at(&generics.where_clause, format!("world `{name}` must not have a where clause: remove it"));
    }
}

/// Reports `World` as a type in the file, in place of the compiler, which proposes `dyn World`.
fn is_not_called_like_the_trait(world: &mut World, errors: &mut Diagnostics) {
    let Some(line) = trait_as_type(&world.ident) else { return };
    let name = world.name();
    errors.at(
        &world.ident,
        format!(
            "line {line}: `World` is the trait of all worlds, and no type: write `{name}`, the type of this world, as in \
             `{name}::new()` and `&mut {name}`"
        ),
    );
    world.is_called_world = true;
}

fn derives_what_there_is(world: &World, errors: &mut Diagnostics) {
    let name = world.name();
    let derived: Vec<Path> =
        world.attributes.iter().flat_map(|attribute| derives(attribute, errors)).collect();
    for path in derived {
        let derived = source(&path);
        if !path.segments.last().is_some_and(|last| DERIVES.contains(&text(&last.ident).as_str())) {
            let always = if derived == "Debug" { "; `Debug` is there without" } else { "" };
            errors.push(path.wrong(format!(
                "`derive({derived})` is not supported on world `{name}`: only {}{always}",
                list(&DERIVES)
            )));
        }
    }
    is_saved_and_loaded(world, errors);
    if let (Some(derived), false) = (world.derived("Reflect"), cfg!(feature = "reflect")) {
        errors.at(
            &derived,
            format!("world `{name}` is to be read by names: enable the feature `reflect` of the crate `ecs`"),
        );
    }
}

/// Refuses one of `Serialize` and `Deserialize` without the other, and both without the feature
/// `serde`.
fn is_saved_and_loaded(world: &World, errors: &mut Diagnostics) {
    let name = world.name();
    let [save, load] = ["Serialize", "Deserialize"].map(|derived| world.derived(derived));
    match (save, load) {
        (Some(one), None) | (None, Some(one)) => errors.push(one.wrong(format!(
            "world `{name}` derives `{}` alone: derive both, `Serialize` and `Deserialize`",
            source(&one)
        ))),
        (Some(one), Some(_)) if !cfg!(feature = "serde") => {
            errors.push(one.wrong(format!(
                "world `{name}` is to be saved: enable the feature `serde` of the crate `ecs`"
            )))
        }
        (Some(one), Some(other)) if is_not_imported(&one) || is_not_imported(&other) => {
            errors.push(one.wrong(format!(
                "world `{name}` derives `{}` and `{}`, and its file does not import them: write `use serde::{{Deserialize, Serialize}};`",
                source(&one),
                source(&other)
            )))
        }
        _ => {}
    }
}

/// Refuses an alias that is the name itself or stands twice, and aliases of a world that is not
/// saved.
fn aliases_are_former_names(world: &World, errors: &mut Diagnostics) {
    let (name, aliases) = (world.name(), &world.options.aliases);
    if let (Some(first), false) = (aliases.first(), world.derived("Serialize").is_some()) {
        errors.push(first.wrong(format!(
            "world `{name}` is not saved, and `alias` is a name in older files: \
             `#[derive(Serialize, Deserialize)]` goes with it"
        )));
        return;
    }
    for (at, alias) in aliases.iter().enumerate() {
        let value = alias.value();
        if value == name {
            errors.at(alias, format!("world `{name}` has this name already: an alias is a former name"));
        } else if aliases[..at].iter().any(|other| other.value() == value) {
            errors.at(alias, format!("world `{name}` has the alias `{value}` twice"));
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
    let title = world.title();
    for (&Section { name: section, most: limit, .. }, entries) in world.sections_mut() {
        if let Some(first) = entries.get(limit) {
            let count = entries.len();
            let cure = if section == "components" {
                "join some that always go together"
            } else {
                "join some into one struct"
            };
            errors.at(&first.ty, format!("{title} has {count} {section}: at most {limit} fit; {cure}"));
            entries.truncate(limit);
        }
    }
}

fn entries_have_names(world: &mut World, errors: &mut Diagnostics) {
    let title = world.title();
    for (Section { name: section, noun, .. }, entries) in world.sections_mut() {
        for entry in entries.iter_mut().filter(|entry| entry.nameless) {
            let ty = entry.spelled();
            if let Type::Reference(reference) = ungroup(&entry.ty)
                && let Some(field) = field_of(&reference.elem)
            {
                let inner = (*reference.elem).clone();
                let shown = source(&inner);
                errors.push(entry.ty.wrong(format!(
                    "{title}, section `{section}`: `{ty}` is a borrow: write `{shown}`, the type alone"
                )));
                (entry.ty, entry.field, entry.nameless) = (inner, field, false);
                continue;
            }
            errors.push(entry.ty.wrong(format!(
                "{title}, section `{section}`: `{ty}` cannot be a {noun}: wrap it in a struct of your own, \
                     and list that"
            )));
        }
        entries.retain(|entry| !entry.nameless);
    }
}

/// Refuses entries that are system parameters, or the world itself.
fn entries_are_data(world: &mut World, errors: &mut Diagnostics) {
    let (name, title) = (world.name(), world.title());
    for (Section { name: section, noun, .. }, entries) in world.sections_mut() {
        entries.retain(|entry| {
            let ty = source(&entry.ty);
            let text = match BuiltIn::misplaced(&entry.ty) {
                Some((built_in, _)) if built_in.argument == Argument::Nothing => format!(
                    "`{ty}` is the id of an entity, and no {noun}: wrap it in a struct of your own, and list that"
                ),
                Some(_) => format!("`{ty}` is for the parameters of systems, and no {noun}: leave it out"),
                None if is_not_nominal(&entry.ty) => {
                    format!("`{ty}` cannot be a {noun}: wrap it in a struct of your own, and list that")
                }
                None if ty == name => format!("`{ty}` is the world itself, and no {noun}: leave it out"),
                None => return true,
            };
            errors.at(&entry.ty, format!("{title}, section `{section}`: {text}"));
            false
        });
    }
}

/// Whether a type is a reference, a tuple or another type without a name, which no user can
/// implement a trait of the library for.
fn is_not_nominal(ty: &Type) -> bool {
    matches!(
        ungroup(ty),
        Type::Reference(_)
            | Type::Tuple(_)
            | Type::Slice(_)
            | Type::Array(_)
            | Type::TraitObject(_)
            | Type::Ptr(_)
            | Type::FnPtr(_)
            | Type::Never(_)
    )
}

/// The fields and variables of the expansion begin with two underscores.
fn names_are_not_generated(world: &mut World, errors: &mut Diagnostics) {
    let title = world.title();
    for (Section { name: section, .. }, entries) in world.sections_mut() {
        for entry in entries.iter_mut().filter(|entry| text(&entry.field).starts_with("__")) {
            let (field, ty) = (text(&entry.field), entry.spelled());
            errors.push(entry.field.wrong(format!(
                "{title}, section `{section}`: names that begin with `__` are reserved for what `world!` generates: give \
                 field `{field}` another name, `name: {ty}`"
            )));
            entry.field = format_ident!("reserved_{}_{}", section, entry.index);
        }
    }
}

fn bounds_are_possible(world: &World, errors: &mut Diagnostics) {
    let title = world.title();
    for entry in &world.events {
        let (event, options) = (format!("event `{}` of {title}", entry.spelled()), &entry.event);
        if let (Some(keep), None) = (&options.keep, options.kept()) {
            let (value, most) = (source(&keep.value), u32::MAX);
            errors.push(
                keep.value.wrong(format!(
                    "`keep` of {event} is a number from 1 to {most}, or `all`, not `{value}`"
                )),
            );
        }
        if let (Some(full), None) = (&options.full, options.variant()) {
            let (value, words) = (source(&full.value), FULL.map(|(built_in, _)| built_in));
            let hint = nearest(&value, &words).map(|near| format!(": did you mean `{near}`?"));
            let [words, hint] = [list(&words), hint.unwrap_or_default()];
            errors.at(&full.value, format!("`full` of {event} is one of {words}, not `{value}`{hint}"));
        }
        if let (Some(skip), None) = (&options.skip, options.clears()) {
            let value = source(&skip.value);
            errors.push(skip.value.wrong(format!(
                "`skip` of {event} is `clear` or `keep`, not `{value}`: a reader whose system is skipped misses its unread events, or \
                 reads them later"
            )));
        }
        if let (Some(full), Some(Keep::All)) = (&options.full, options.kept()) {
            errors.push(full.wrong(format!(
                "{event} has `full` beside `keep = all`: it is never full; remove one of the two"
            )));
        }
        if let (Some(full), None, false) = (&options.full, &options.keep, options.broken) {
            errors.push(full.wrong(format!(
                "{event} has `full` without `keep`: say how many are kept, `keep = 1024`, or remove this"
            )));
        }
    }
}

fn types_are_distinct(world: &mut World, errors: &mut Diagnostics) {
    let title = world.title();
    for (Section { noun, .. }, entries) in world.sections_mut() {
        let mut seen: HashMap<String, String> = HashMap::new();
        entries.retain(|entry| {
            let (field, has_cfg) = (text(&entry.field), !entry.cfg().is_empty());
            let ty = source(&entry.ty);
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
                    errors.at(&entry.ty, format!("{title} has {noun} `{ty}` twice: {fields}; {cure}"));
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

/// Refuses two fields of one name. If one is included and both types have the same last name, they
/// are most likely one type: the second is removed, so that the compiler does not report it again.
fn fields_are_distinct(world: &mut World, errors: &mut Diagnostics) {
    let title = world.title();
    let mut seen: HashMap<String, Field> = HashMap::new();
    let mut instances: Vec<String> = Vec::new();
    for (Section { name: section, .. }, entries) in world.sections_mut() {
        entries.retain_mut(|entry| {
            if !entry.cfg().is_empty() {
                return true;
            }
            let field = text(&entry.field);
            let second = Field::of(section, entry);
            let Some(first) = seen.insert(field.clone(), second) else { return true };
            let second = &seen[&field];
            if let (Some((path, first, second)), Some(included)) = (first.instances(second), &entry.included) {
                if !instances.contains(&second) {
                    errors.push(included.path.wrong(format!(
                        "{title} includes `{path}` for two types, `{first}` and `{second}`, and their fields have equal names: write \
                         `include {second} as other;`, and the names begin with `other_`"
                    )));
                    instances.push(second);
                }
                entry.field = format_ident!("{}_{}_{}", field, section, entry.index);
                return true;
            }
            let included = first.included.is_some() || second.included.is_some();
            let clash =
                if included { first.included_clash(&field, second) } else { first.clash(&field, second) };
            errors.at(&entry.field, format!("{title}, {clash}"));
            entry.field = format_ident!("{}_{}_{}", field, section, entry.index);
            !(included && first.type_name() == second.type_name())
        });
    }
}

/// The description of an entry in the message about two fields of one name.
struct Field {
    section: &'static str,
    spelled: String,
    placed: String,
    /// The path of the parts that list the entry.
    included: Option<String>,
}

impl Field {
    fn of(section: &'static str, entry: &Entry) -> Self {
        let included = entry.included.as_ref().map(Included::of);
        Self { section, spelled: entry.spelled(), placed: entry.placed(), included }
    }

    /// The last segment of the type's path.
    fn type_name(&self) -> Option<&str> {
        self.spelled.split('<').next()?.rsplit("::").next()
    }

    /// The path of generic parts and the paths of two instances, if the fields are of these.
    fn instances(&self, second: &Self) -> Option<(String, String, String)> {
        let (first, second) = (self.included.as_ref()?, second.included.as_ref()?);
        let path = first.split_once("::<")?.0;
        let is_other = first != second && second.split_once("::<")?.0 == path;
        is_other.then(|| (path.to_owned(), first.clone(), second.clone()))
    }

    fn sections(&self, second: &Self) -> String {
        if self.section == second.section {
            format!("section `{}`", second.section)
        } else {
            format!("sections `{}` and `{}`", self.section, second.section)
        }
    }

    fn clash(&self, field: &str, second: &Self) -> String {
        let (sections, first, second) = (self.sections(second), &self.spelled, &second.spelled);
        format!(
            "{sections}: two fields are called `{field}`, of `{first}` and of `{second}`; give one another name, \
             `name: {second}`"
        )
    }

    fn included_clash(&self, field: &str, second: &Self) -> String {
        let cure = match (&self.included, &second.included) {
            (Some(_), Some(path)) => format!(
                "give one another name, `include {path} {{ {field} as other }};`, or if it is the same type let one \
                 library include the other's parts"
            ),
            _ => "leave it out here if it is the same type, or give it another name".to_owned(),
        };
        let (sections, first, second) = (self.sections(second), &self.placed, &second.placed);
        format!("{sections}: two fields are called `{field}`, of {first} and of {second}; {cure}")
    }
}
