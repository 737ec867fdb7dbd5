//! `include PATH`: adds the entries of a `parts!` to a world.
//!
//! A macro cannot see the input of another. `world!` therefore reads its text twice. The first pass collects the paths and calls
//! the macros that `parts!` has generated: each passes its entries to the next macro, the last one to `including_world!`. The
//! second pass, in `including_world!`, reads the text again with the included entries.
//!
//! The types of a library have other paths in the including crate, or none. The expansion names an included type by its number in
//! the library's list: `<PATH as Listed<Game, 0>>::Item`.

use std::collections::HashSet;
use std::vec;

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, Path, Result, Token, Type, TypePath, braced, parse_quote, token};

use super::options::{next, separated};
use super::schedule::{self, Place, Stage, Step};
use super::world::{self, Entry, Included, Noun, World};
use crate::diagnostic::Diagnostics;
use crate::names::{Ecs, field_of, list, nearest, source, text};
use crate::span::{Ends, at};

pub(super) const NO_ATTRIBUTES: &str = "`include` takes no attributes: what is included has its own documentation, and \
    `#[cfg(..)]` stands before `world!`";

/// The words that tell a list of parts from a schedule, in the input of `including_world!`.
pub(crate) const PARTS: &str = "parts";
pub(crate) const SCHEDULE: &str = "schedule";

/// The parts and schedules that a world includes, or that parts need.
pub(crate) struct Includes {
    noun: Noun,
    ecs: Ecs,
    world: Ident,
    /// The paths, in the order of the text.
    pub(crate) paths: Vec<Path>,
    /// The entries after the paths, in the order of `paths`; empty in the first call.
    given: Option<vec::IntoIter<TokenStream>>,
    /// The paths of parts so far.
    seen: HashSet<String>,
}

impl Includes {
    pub(crate) fn new(noun: Noun, ecs: &Ecs, world: &Ident, given: Option<Vec<TokenStream>>) -> Self {
        let given = given.map(Vec::into_iter);
        Self { noun, ecs: ecs.clone(), world: world.clone(), paths: Vec::new(), given, seen: HashSet::new() }
    }

    /// `<path as Listed<Game, index>>::Item`, with the span of `path`.
    fn listed(&self, path: &Path, index: usize) -> TypePath {
        let Self { ecs, world, .. } = self;
        let (ends, index) = (Ends::of(path), Literal::usize_unsuffixed(index));
        let open = at(quote!(<), ends.first);
        let close = at(quote!(as #ecs::__private::Listed<#world, #index>>::Item), ends.last);
        parse_quote!(#open #path #close)
    }

    /// The first value of the entry with the number `index`.
    fn value(&self, path: &Path, index: usize) -> Expr {
        let Self { ecs, world, .. } = self;
        let (ends, index) = (Ends::of(path), Literal::usize_unsuffixed(index));
        let open = at(quote!(<), ends.first);
        let close = at(quote!(as #ecs::__private::Valued<#world, #index>>::value()), ends.last);
        parse_quote!(#open #path #close)
    }

    /// The entries behind `path`, if they are known and their kind is `word`.
    fn take(&mut self, path: &Path, word: &str) -> std::result::Result<Option<TokenStream>, ()> {
        self.paths.push(path.clone());
        let Some(given) = &mut self.given else { return Ok(None) };
        let parser = |input: ParseStream<'_>| {
            let kind = input.call(Ident::parse_any)?;
            let list;
            braced!(list in input);
            Ok((kind == word, list.parse()?))
        };
        let given: Result<(bool, TokenStream)> = parser.parse2(given.next().unwrap_or_default());
        match given {
            Ok((true, list)) => Ok(Some(list)),
            _ => Err(()),
        }
    }
}

/// Whether `include` and a path come next. A system may be called `include`, too.
pub(super) fn is_next(input: ParseStream<'_>) -> bool {
    is_path_behind("include", input)
}

/// Whether `include` or `needs` and a path come next.
pub(super) fn is_entry(input: ParseStream<'_>) -> bool {
    is_next(input) || is_path_behind("needs", input)
}

fn is_path_behind(word: &str, input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let found = ahead.call(Ident::parse_any).is_ok_and(|found| found == word);
    found && ahead.peek(Ident::peek_any) && !ahead.peek(Token![if]) || found && is_absolute(&ahead)
}

/// Whether the tokens are `include` and an absolute path, not a path that begins with a module `include`.
fn is_absolute(ahead: ParseStream<'_>) -> bool {
    ahead.peek(Token![::])
        && ahead.fork().call(Path::parse_mod_style).is_ok_and(|path| path.segments.len() > 1)
}

/// Reads the word and the path after it.
fn path(input: ParseStream<'_>) -> Result<(Ident, Path)> {
    Ok((input.call(Ident::parse_any)?, input.call(Path::parse_mod_style)?))
}

/// Reads `include PATH;` or `include PATH { field as other };` among the sections of a world, or the same with `needs` among
/// those of parts, and adds the entries to the sections.
pub(super) fn entries(input: ParseStream<'_>, world: &mut World, errors: &mut Diagnostics) -> Result<()> {
    let title = world.title();
    let (word, path) = path(input)?;
    let spelled = source(&path);
    match (world.noun, word == "needs") {
        (Noun::Parts, false) => errors.span(
            word.span(),
            format!(
                "{title} cannot include others: write `needs {spelled};`, and let the world that includes these \
                 include those"
            ),
        ),
        (Noun::World, true) => {
            errors.span(word.span(), format!("{title} needs nothing from elsewhere: write `include {spelled};`"));
        }
        _ => {}
    }
    let renamed = renamed(input, &title, errors)?;
    if !input.peek(Token![;]) {
        let found = next(input);
        errors.span(input.span(), format!("{title}: expected `;` after `{word} {spelled}`, found `{found}`"));
    }
    input.parse::<Option<Token![;]>>()?;
    let Ok(list) = world.includes.take(&path, PARTS) else {
        let message = format!(
            "`{spelled}` is a schedule: it is included in a schedule, `schedule tick {{ include {spelled}; .. }}`"
        );
        return Err(Error::new_spanned(path, message));
    };
    let Some(list) = list else { return Ok(()) };
    if !world.includes.seen.insert(spelled.clone()) {
        return Err(Error::new_spanned(path, format!("{title} includes `{spelled}` twice: once is enough")));
    }
    let before: [usize; 3] = [0, 1, 2].map(|section| world.sections[section].len());
    world::sections(&list, world, errors);
    let mut names = Vec::new();
    let included = world.sections.iter_mut().zip(before).flat_map(|(entries, before)| &mut entries[before..]);
    for (index, entry) in included.enumerate() {
        place(entry, &path, &world.includes, index);
        if let Some(name) = &mut entry.name {
            names.push(text(name));
            if let Some((_, other)) = renamed.iter().find(|(field, _)| text(field) == text(name)) {
                *name = other.clone();
            }
        }
    }
    for (field, _) in renamed.iter().filter(|(field, _)| !names.contains(&text(field))) {
        errors.at(field, no_field(&spelled, &text(field), &names));
    }
    Ok(())
}

fn no_field(path: &str, field: &str, fields: &[String]) -> String {
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let hint = nearest(field, &fields).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    format!("`{path}` has no field `{field}`: {hint}its fields are {}", list(&fields))
}

/// Reads the renamed fields.
fn renamed(input: ParseStream<'_>, title: &str, errors: &mut Diagnostics) -> Result<Vec<(Ident, Ident)>> {
    let mut renamed = Vec::new();
    if input.peek(token::Brace) {
        let fields;
        braced!(fields in input);
        separated(&fields, errors, &mut |fields| {
            let (start, found) = (fields.span(), next(fields));
            let read = || {
                let field = fields.call(Ident::parse_any)?;
                fields.parse::<Token![as]>()?;
                Ok((field, fields.parse()?))
            };
            let read: Result<(Ident, Ident)> = read();
            let message = format!(
                "{title}: expected `field as other`, which gives a field another name, found `{found}`"
            );
            renamed.push(read.map_err(|_| Error::new(start, message))?);
            Ok(())
        });
    }
    Ok(renamed)
}

/// Turns `entry` into the entry with the number `index` in the list of `path`.
fn place(entry: &mut Entry, path: &Path, includes: &Includes, index: usize) {
    let last = Ends::of(path).last;
    entry.name = entry.name.take().or_else(|| field_of(&entry.ty)).map(|mut name| {
        name.set_span(last);
        name
    });
    entry.included = Some(Included { path: source(path), spelled: source(&entry.ty) });
    if entry.value.is_some() {
        entry.value = Some(includes.value(path, index));
    }
    entry.ty = Type::Path(includes.listed(path, index));
}

/// Reads `include PATH` in a schedule. Returns the included stages.
pub(super) fn steps(
    input: ParseStream<'_>,
    of: &Place<'_>,
    includes: &mut Includes,
    errors: &mut Diagnostics,
) -> Result<Vec<Stage>> {
    let (include, path) = path(input)?;
    if includes.noun == Noun::Parts {
        let message = "it cannot include another one: the world's schedule includes both";
        return Err(Error::new(include.span(), of.says(message)));
    }
    if let Some(word) = input.parse::<Option<Token![if]>>()? {
        schedule::either(input, of, errors)?;
        let message = "`include` takes no condition: each of its systems would ask for itself, and the answer may \
            change between them";
        errors.span(word.span, of.says(message));
    }
    let spelled = source(&path);
    let Ok(body) = includes.take(&path, SCHEDULE) else {
        let message = of.says(&format!(
            "`{spelled}` has no systems: it is included in the struct, `struct Game {{ include {spelled}; .. }}`"
        ));
        return Err(Error::new_spanned(path, message));
    };
    let Some(body) = body else { return Ok(Vec::new()) };
    let mut stages = schedule::stages(body, of, includes, errors);
    for (index, system) in schedule::systems(&mut stages).into_iter().enumerate() {
        system.path = includes.listed(&path, index);
        system.included = Some(spelled.clone());
    }
    Ok(stages)
}

/// Reads `include PATH` in a `react` block, which takes a schedule of one stage.
pub(super) fn stage(
    input: ParseStream<'_>,
    of: &Place<'_>,
    includes: &mut Includes,
    errors: &mut Diagnostics,
) -> Result<Vec<Step>> {
    let ends = Ends::of(&path(&input.fork())?.1);
    let mut stages = steps(input, of, includes, errors)?;
    stages.retain(|stage| !stage.steps.is_empty());
    if stages.len() > 1 || stages.iter().any(|stage| stage.react.is_some()) {
        let message = "a `react` block is one stage, and what is included here has several";
        return Err(Error::new(ends.last, of.says(message)));
    }
    Ok(stages.into_iter().flat_map(|stage| stage.steps).collect())
}

/// Splits the input of `including_world!` into the included lists and the text of the world. The first group, the remaining
/// macros of the chain, is empty by then.
pub(crate) fn handed_over(tokens: TokenStream) -> (Vec<TokenStream>, TokenStream) {
    let mut tokens = tokens.into_iter();
    let mut group = || match tokens.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let (_, given) = (group(), group());
    let given = given.into_iter().filter_map(|tree| match tree {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    (given.collect(), tokens.collect())
}
