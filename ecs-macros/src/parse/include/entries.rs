//! `include PATH` in the struct of a world or in parts, and `needs PATH` in parts: adds entries to
//! the sections.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Path, Result, Token, Type};

use super::PARTS;
use super::given::{Argument, Given, Origin, depends, last_names, substituted};
use super::overrides::Overrides;
use super::target::Target;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{field_of, field_of_instance, source, text};
use crate::parse::advice::{self, with_advice};
use crate::parse::options::{next, until};
use crate::parse::world::{self, Entry, Noun, World};
use crate::span::Ends;

/// The parts that list an included entry.
#[derive(Clone)]
pub(crate) struct Included {
    /// The path of the parts, with its arguments.
    pub(crate) path: Path,
    /// The number in their list.
    pub(crate) index: usize,
    /// The source text of the type in the parts, with the arguments in place of parameters.
    pub(crate) spelled: String,
    /// The list that declares the entry.
    pub(crate) origin: Origin,
    /// Whether parts only need it: then it is not an entry of their list.
    pub(crate) needed: bool,
    /// The types of further includes that are taken for this entry, because their arguments have
    /// equal names.
    pub(crate) equal: Vec<Type>,
}

impl Included {
    /// The path of the parts, for messages.
    pub(crate) fn of(&self) -> String {
        source(&self.path)
    }
}

/// Reads `include PATH as prefix { .. };` among the sections of a world or of parts, or the same
/// with `needs` among those of parts, and adds the entries to the sections.
pub(in crate::parse) fn entries(
    input: ParseStream<'_>,
    cfg: Vec<Attribute>,
    world: &mut World,
    errors: &mut Diagnostics,
) -> Result<()> {
    let title = world.title();
    let first_cfg = cfg.first().cloned();
    let (word, target) = Target::read(PARTS, input, cfg, &title, errors)?;
    let (spelled, needed) = (target.spelled.clone(), word == "needs");
    if world.noun == Noun::World && needed {
        errors.at(word.span(), format!("{title} needs nothing from elsewhere: write `include {spelled};`"));
    }
    if let (Noun::Parts, Some(cfg)) = (world.noun, first_cfg) {
        errors.push(cfg.wrong(format!(
            "{title}: a `#[cfg(..)]` in here would ask about the crate that includes the parts: put what depends on it \
             into parts of its own, with the `#[cfg(..)]` before `parts!`"
        )));
    }
    let prefix = errors.take(prefix(input, &title)).flatten();
    let overrides = Overrides::read(input, &title, world.noun, errors);
    if let Some(word) = input.parse::<Option<Token![if]>>()? {
        errors.push(word.span.wrong(format!(
            "{title}: the entries of a world are fixed when it is compiled: write `#[cfg(..)]` before `include {spelled}`; a schedule includes \
             systems with a condition, `include step if playing`"
        )));
        until(input, |input| input.peek(Token![;]));
    }
    let mut further = Vec::new();
    if !input.peek(Token![;]) {
        let (found, cure) = (next(input), with_advice(advice::BEHIND_INCLUDE, input, &spelled));
        errors.at(
            input.span(),
            format!("{title}: expected `;` after `{word} {spelled}`, found `{found}`{cure}"),
        );
        while cure.contains("by itself") && !input.is_empty() && !input.peek(Token![;]) {
            input.parse::<TokenTree>()?;
            further.push(Target::behind(&word, PARTS, input, Vec::new(), &title, errors)?);
        }
        until(input, |input| input.peek(Token![;]) || world::is_section(input) || super::is_entry(input));
    }
    input.parse::<Option<Token![;]>>()?;
    // the compiler would report it, and the world and all of its uses
    let mut target = target;
    if let Some(unknown) = target.unknown() {
        errors.at(&target.path, format!("{title}: the parts `{spelled}` {}", unknown.cure));
        let Some(meant) = unknown.meant else {
            world.includes.lacks_parts = true;
            return Ok(());
        };
        target = target.renamed(&meant);
        if world.includes.paths.iter().any(|link| source(&link.path) == target.spelled) {
            return Ok(());
        }
    }
    add(target, prefix, overrides, needed, world, errors)?;
    further.into_iter().try_for_each(|target| add(target, None, Overrides::default(), needed, world, errors))
}

/// Adds the entries of the parts to the sections.
fn add(
    target: Target,
    prefix: Option<Ident>,
    overrides: Overrides,
    needed: bool,
    world: &mut World,
    errors: &mut Diagnostics,
) -> Result<()> {
    let (title, spelled) = (world.title(), &target.spelled);
    world.includes.adds |= world.noun == Noun::Parts && !needed;
    world.includes.needs.extend(needed.then(|| target.path.clone()));
    let Ok(given) = world.includes.take(&target, PARTS) else {
        return Err(target.path.wrong(format!(
            "`{spelled}` is a schedule: it is included in a schedule, `schedule tick {{ include {spelled}; .. }}`"
        )));
    };
    let Some(given) = given else { return Ok(()) };
    if !world.includes.seen.insert(spelled.clone()) {
        return Err(target.path.wrong(format!("{title} includes `{spelled}` twice: once is enough")));
    }
    let arguments = given.arguments(&target).map_err(|says| target.path.wrong(format!("{title}: {says}")))?;
    world.includes.lists.include(&given, &target, &arguments);
    let include = Include { target, given, arguments, prefix, needed };
    let fields = include.add(world, errors);
    overrides.apply(&include.target.spelled, &fields, world, errors);
    Ok(())
}

/// Reads `as prefix`.
fn prefix(input: ParseStream<'_>, title: &str) -> Result<Option<Ident>> {
    if input.parse::<Option<Token![as]>>()?.is_none() {
        return Ok(None);
    }
    let (span, found) = (input.span(), next(input));
    let read = input.call(Ident::parse_any).ok();
    let message = format!(
        "{title}: expected a name after `as`, with which the names of the included fields begin, found `{found}`"
    );
    read.map(Some).ok_or_else(|| span.wrong(message))
}

/// An included field.
pub(super) struct Field {
    /// The name in the parts.
    pub(super) name: String,
    /// The last name of the type in the parts.
    pub(super) ty: String,
    /// The section and the position of the entry in the world.
    pub(super) at: (usize, usize),
}

/// The parts of one `include`.
struct Include {
    target: Target,
    given: Given,
    arguments: Vec<Argument>,
    prefix: Option<Ident>,
    needed: bool,
}

impl Include {
    /// Adds the entries to the sections. An entry that another include has added stays one.
    fn add(&self, world: &mut World, errors: &mut Diagnostics) -> Vec<Field> {
        let (mut listed, mut fields) =
            (World::new(world.noun, world.ecs.clone(), world.ident.clone()), Vec::new());
        world::sections(&self.given.entries, &mut listed, errors);
        let mut compared = HashSet::new();
        for (section, entries) in listed.sections.into_iter().enumerate() {
            for entry in entries {
                let (origin, name, entry) = self.placed(entry, fields.len(), world);
                let ty = type_name(&entry);
                let next = (section, world.sections[section].len());
                // the same mistake is one message, not one for each entry
                let arguments = last_names(&origin.arguments);
                let is_instance = !arguments.is_empty() && compared.insert(arguments);
                let at = world.includes.place(origin, next);
                if at == next {
                    world.sections[section].push(entry);
                } else if let Some(included) = &mut world.sections[at.0][at.1].included {
                    included.needed &= self.needed;
                    included.equal.extend(is_instance.then_some(entry.ty));
                }
                fields.push(Field { name, ty, at });
            }
        }
        fields
    }

    /// `entry` as an entry of the world, with the name of its field in the parts. `index` is the
    /// number in the list.
    fn placed(&self, mut entry: Entry, index: usize, world: &World) -> (Origin, String, Entry) {
        let path = &self.target.path;
        let depends = depends(&entry.ty, &self.arguments);
        let origin = self.given.origin(&self.target, index, &entry.ty, &self.arguments);
        let tokens = substituted(entry.ty.to_token_stream(), &self.arguments);
        let ty: Type = syn::parse2(tokens).unwrap_or_else(|_| entry.ty.clone());
        let (last, mut listed) = (Ends::of(path).last, String::new());
        let derived = if depends { field_of_instance } else { field_of };
        entry.name = entry.name.take().or_else(|| derived(&ty)).map(|name| {
            listed = text(&name);
            // fields that several includes share have the same name in each
            let is_own = if self.arguments.is_empty() { self.given.declares(index) } else { depends };
            let mut name = match &self.prefix {
                Some(prefix) if is_own => Ident::new(&format!("{}_{listed}", text(prefix)), last),
                _ => name,
            };
            name.set_span(last);
            name
        });
        let value = entry.value.is_some().then(|| world.includes.value(path, index));
        let included = Included {
            path: path.clone(),
            index,
            spelled: source(&ty),
            origin: origin.clone(),
            needed: self.needed,
            equal: Vec::new(),
        };
        let ty = Type::Path(world.includes.listed(path, index));
        (origin, listed, Entry { ty, value, included: Some(included), ..entry })
    }
}

/// The last name of the type in the parts.
fn type_name(entry: &Entry) -> String {
    let spelled = entry.included.as_ref().map(|included| included.spelled.parse::<TokenStream>());
    let ty: Option<Type> = spelled.and_then(|tokens| syn::parse2(tokens.ok()?).ok());
    match ty {
        Some(Type::Path(path)) => path.path.segments.last().map(|last| text(&last.ident)).unwrap_or_default(),
        _ => String::new(),
    }
}
