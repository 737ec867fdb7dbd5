//! `world!`: the struct with its sections, then the schedules. [`parts`](super::parts) reads the
//! same sections.
//!
//! The parser recovers: it reports an error and skips to the next comma, section or schedule. The
//! world is still declared, so that the rest of the program causes no further errors.

mod section;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{Attribute, Expr, Generics, Result, Token, Type, Visibility, braced, parenthesized, token};

use super::advice::{self, with_advice};
use super::event;
use super::include::entries::Included;
use super::include::{self, Includes};
use super::options::{all, crate_path, next, undocumented, until};
use super::schedule;
use super::world_options::WorldOptions;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::schedule::Schedule;
use crate::names::{Ecs, list, nearest, source, text};
use crate::words;
use section::Section;

/// The names of the sections.
pub(crate) const SECTIONS: [&str; 3] = ["components", "resources", "events"];

/// The input of `world!` or `parts!`.
pub(crate) struct World {
    pub(crate) noun: Noun,
    pub(crate) ecs: Ecs,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) options: WorldOptions,
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The entries of the sections, in the order of [`SECTIONS`].
    pub(crate) sections: [Vec<Entry>; 3],
    pub(crate) schedules: Vec<Schedule>,
    pub(crate) includes: Includes,
}

/// The declaration that has the sections: a world or parts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noun {
    World,
    Parts,
}

impl Noun {
    /// For messages: ``world `Game` ``.
    pub(crate) fn named(self, ident: &Ident) -> String {
        let noun = match self {
            Self::World => "world",
            Self::Parts => "parts",
        };
        format!("{noun} `{}`", text(ident))
    }
}

/// A component, resource or event.
pub(crate) struct Entry {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Option<Ident>,
    pub(crate) ty: Type,
    pub(crate) value: Option<Expr>,
    /// The options in parentheses after the type of an event.
    pub(crate) event: event::Options,
    /// The parts that list the entry, if it is included.
    pub(crate) included: Option<Included>,
}

impl Entry {
    /// An entry with a type and nothing else.
    fn of(ty: Type) -> Self {
        Self {
            attributes: Vec::new(),
            name: None,
            ty,
            value: None,
            event: event::Options::default(),
            included: None,
        }
    }
}

/// Reads a world. `None` if the name is missing. `given` has the included entries in the second
/// pass.
pub(crate) fn parse(
    tokens: TokenStream,
    given: Option<Vec<TokenStream>>,
    errors: &mut Diagnostics,
) -> Option<World> {
    all(tokens, errors, |input, errors| {
        let world = world(input, given, errors);
        errors.take(world)
    })
}

fn world(input: ParseStream<'_>, given: Option<Vec<TokenStream>>, errors: &mut Diagnostics) -> Result<World> {
    let (mut world, body) = head(input, errors)?;
    let title = world.title();
    world.options = WorldOptions::take(&mut world.attributes, &title, errors);
    world.includes = Includes::new(Noun::World, &world.ecs, &world.ident, given);
    sections(&body, &mut world, errors);
    world.includes.lists.list(&world.sections);
    while !input.is_empty() {
        let title = world.title();
        let parsed = if schedule::is_observers(input) {
            schedule::observers(input, &title, &mut world.includes, errors).map(Some)
        } else {
            schedule::parse(input, &title, &mut world.includes, errors)
        };
        match parsed {
            Ok(schedule) => world.schedules.extend(schedule),
            Err(error) => {
                errors.push(error);
                schedule::skip_to_next(input);
            }
        }
    }
    Ok(world)
}

/// Reads the tokens up to the struct's braces, and the tokens in them.
fn head(input: ParseStream<'_>, errors: &mut Diagnostics) -> Result<(World, TokenStream)> {
    let ecs = library(input)?;
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    if !input.peek(Token![struct]) {
        let error = input.error(format!(
            "expected `struct NAME {{ .. }}` with the sections {} of the world, found `{}`",
            list(&SECTIONS),
            next(input)
        ));
        if !is_name(input) {
            let ahead = input.fork();
            if ahead.call(Ident::parse_any).is_err() || !is_name(&ahead) {
                return Err(error);
            }
            input.advance_to(&ahead);
        }
        errors.push(error);
    }
    input.parse::<Option<Token![struct]>>()?;
    let ident: Ident = input.parse()?;
    let mut generics: Generics = input.parse()?;
    generics.where_clause = input.parse()?;
    let body = body(input, &Noun::World.named(&ident), errors)?;
    Ok((World { attributes, visibility, generics, ..World::new(Noun::World, ecs, ident) }, body))
}

/// Whether a name and its braces come next.
pub(super) fn is_name(input: ParseStream<'_>) -> bool {
    let named = input.peek(syn::Ident) && (input.peek2(token::Brace) || input.peek2(Token![<]));
    named && !SECTIONS.contains(&next(input).as_str())
}

/// Reads the braces of the struct or of parts. Reports other tokens before them, or in their place.
pub(super) fn body(input: ParseStream<'_>, title: &str, errors: &mut Diagnostics) -> Result<TokenStream> {
    if !input.peek(token::Brace) {
        errors.push(input.error(format!(
            "{title}: expected `{{` and the sections {}, found `{}`",
            list(&SECTIONS),
            next(input)
        )));
        if input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            input.parse::<Option<Token![;]>>()?;
            return inner.parse();
        }
        let is_end = |input: ParseStream<'_>| {
            schedule::is_next(input) || schedule::is_observers(input) || input.peek(Token![#])
        };
        until(input, |input| input.peek(token::Brace) || is_section(input) || is_end(input));
        if !input.peek(token::Brace) {
            return Ok(until(input, is_end));
        }
    }
    let body;
    braced!(body in input);
    body.parse()
}

impl World {
    /// A declaration with a name and nothing else.
    pub(crate) fn new(noun: Noun, ecs: Ecs, ident: Ident) -> Self {
        let includes = Includes::new(noun, &ecs, &ident, None);
        Self {
            noun,
            ecs,
            attributes: Vec::new(),
            options: WorldOptions::default(),
            visibility: Visibility::Inherited,
            ident,
            generics: Generics::default(),
            sections: Default::default(),
            schedules: Vec::new(),
            includes,
        }
    }

    /// For messages: ``world `Game` ``.
    pub(crate) fn title(&self) -> String {
        self.noun.named(&self.ident)
    }
}

/// Reads `#![crate = my::ecs]`, if it is there.
pub(super) fn library(input: ParseStream<'_>) -> Result<Ecs> {
    if !(input.peek(Token![#]) && input.peek2(Token![!])) {
        return Ok(Ecs::default());
    }
    input.parse::<Token![#]>()?;
    input.parse::<Token![!]>()?;
    let option;
    syn::bracketed!(option in input);
    let name = option.call(Ident::parse_any)?;
    if name != "crate" {
        return Err(name
            .span()
            .wrong(format!("unknown option `{name}` of `world!`: the option is `crate = path`")));
    }
    crate_path(&option)
}

/// Reads the tokens in the struct's braces.
pub(super) fn sections(body: &TokenStream, world: &mut World, errors: &mut Diagnostics) {
    let mut seen: Vec<String> = Vec::new();
    all(body.clone(), errors, |input, errors| {
        while !input.is_empty() {
            if let Err(error) = section(input, world, &mut seen, errors) {
                errors.push(error);
                until(input, |input| is_block(input) || include::is_entry(input));
            }
        }
    });
}

fn is_block(input: ParseStream<'_>) -> bool {
    (input.peek(Ident::peek_any) && input.peek2(token::Brace)) || is_misspelled_section(input)
}

/// Whether one of the sections comes next.
pub(super) fn is_section(input: ParseStream<'_>) -> bool {
    SECTIONS.contains(&next(input).as_str()) && is_block(input)
}

/// Whether a section with a common mistake comes next: a sign before its braces, or other brackets.
fn is_misspelled_section(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let named = ahead.call(Ident::parse_any).is_ok_and(|word| SECTIONS.contains(&text(&word).as_str()));
    named && sign(&ahead).is_ok() && matches!(ahead.parse(), Ok(TokenTree::Group(_)))
}

/// `:` or `=`, which newcomers write before the braces of a section.
fn sign(input: ParseStream<'_>) -> Result<Option<TokenTree>> {
    let is_sign = input.peek(Token![:]) || input.peek(Token![=]);
    if is_sign { input.parse().map(Some) } else { Ok(None) }
}

/// Reads the entries of a section. Reports a sign before the braces, or other brackets.
fn braces(
    input: ParseStream<'_>,
    title: &str,
    section: &str,
    errors: &mut Diagnostics,
) -> Result<TokenStream> {
    let sign = sign(input)?;
    if let Some(sign) = &sign {
        errors.push(sign.wrong(format!(
            "{title}: unexpected `{sign}` between `{section}` and its braces: write `{section} {{ .. }}`"
        )));
    }
    let (span, entries): (_, TokenTree) = (input.span(), input.parse()?);
    let TokenTree::Group(entries) = entries else {
        return Err(span.wrong(format!("{title}: expected `{section} {{ .. }}`")));
    };
    if entries.delimiter() != Delimiter::Brace && sign.is_none() {
        errors.at(span, format!("{title}: section `{section}` is written in braces: `{section} {{ .. }}`"));
    }
    Ok(entries.stream())
}

/// Whether a schedule comes next, after its attributes, if `noun` takes schedules in its braces.
fn is_schedule_of_parts(input: ParseStream<'_>, noun: Noun) -> bool {
    let ahead = input.fork();
    noun == Noun::Parts
        && ahead.call(Attribute::parse_outer).is_ok()
        && schedule::is_next(&ahead)
        && !is_block(&ahead)
}

fn section(
    input: ParseStream<'_>,
    world: &mut World,
    seen: &mut Vec<String>,
    errors: &mut Diagnostics,
) -> Result<()> {
    let title = world.title();
    if world.noun == Noun::Parts && next(input) == "schedules" && input.peek2(Ident::peek_any) {
        let word = input.call(Ident::parse_any)?;
        errors.at(
            word.span(),
            format!("{title}: a schedule begins with its word: write `schedule {}`", next(input)),
        );
        let schedule = schedule::named(input, Vec::new(), &title, &mut world.includes, errors)?;
        world.schedules.extend(schedule);
        return Ok(());
    }
    if is_schedule_of_parts(input, world.noun) {
        let schedule = schedule::parse(input, &title, &mut world.includes, errors)?;
        world.schedules.extend(schedule);
        return Ok(());
    }
    let attributes = input.call(Attribute::parse_outer)?;
    if include::is_entry(input) {
        let cfg = include::conditions(attributes, |message| format!("{title}: {message}"))?;
        return include::entries(input, cfg, world, errors);
    }
    if input.peek(Token![use]) || input.peek2(Token![!]) && next(input) == "include" {
        let span = input.span();
        let wrong = until(input, |input| input.peek(Token![;]));
        input.parse::<Option<Token![;]>>()?;
        let mut path = TokenStream::new();
        for tree in wrong.into_iter().skip(1) {
            match tree {
                TokenTree::Group(group) => path.extend(group.stream()),
                TokenTree::Punct(sign) if sign.as_char() == '!' => {}
                other => path.extend([other]),
            }
        }
        errors.at(span, format!("{title}: parts are included: write `include {};`", source(&path)));
        included(path, world, errors);
        return Ok(());
    }
    if let (Some(wrong), true) = (undocumented(&attributes), is_block(input)) {
        let cure = match wrong.path().is_ident("derive") {
            true => format!("write `{}` before the `struct`", source(wrong)),
            false => "write `#[cfg(..)]` before each of its entries".to_owned(),
        };
        errors.at(wrong, format!("{title}: a section takes doc comments and no other attributes: {cure}"));
    }
    if schedule::is_next(input) && !is_block(input) {
        let word = input.call(Ident::parse_any)?;
        errors.push(word.span().wrong(format!(
            "{title}: schedules are written after the struct: close the struct with `}}` before `schedule`"
        )));
        let schedule = schedule::named(input, Vec::new(), &title, &mut world.includes, errors)?;
        world.schedules.extend(schedule);
        return Ok(());
    }
    if !is_block(input) {
        let error = input.error(format!(
            "{title}: expected a section, `components {{ .. }}`, `resources {{ .. }}` or `events \
            {{ .. }}`, found `{}`{}",
            next(input),
            with_advice(advice::SECTION, input, "")
        ));
        if !input.peek2(Token![:]) && !input.peek2(Token![,]) {
            return Err(error);
        }
        // entries without a section, as the fields of a struct
        errors.push(error);
        let entries = until(input, |input| is_block(input) || include::is_entry(input));
        let section = Section { title: &title, name: SECTIONS[0] };
        world.sections[0].extend(section.entries(entries, errors));
        return Ok(());
    }
    let section = input.call(Ident::parse_any)?;
    let spelled = text(&section);
    let before = errors.count();
    let mut entries = braces(input, &title, &spelled, errors)?;
    let is_reported = errors.count() > before;
    let mut has_includes = false;
    while let Some((span, path, rest)) = included_among(&entries) {
        has_includes = true;
        errors.push(span.wrong(format!(
            "{title}, section `{spelled}`: parts are included beside the sections, in the braces of the struct: `include {};`",
            source(&path)
        )));
        included(path, world, errors);
        entries = rest;
    }
    if input.peek(Token![,]) || input.peek(Token![;]) {
        // with `:`, which was reported, the sections are written as fields
        if !is_reported {
            let found = next(input);
            errors.at(input.span(), format!("{title}: sections are not separated by `{found}`: remove it"));
        }
        until(input, |input| !(input.peek(Token![,]) || input.peek(Token![;])));
    }
    if has_includes && entries.is_empty() {
        return Ok(());
    }
    let known = SECTIONS.iter().position(|known| *known == spelled);
    let meant = nearest(&spelled, &SECTIONS);
    if known.is_none() {
        let hint = meant.map(|meant| format!("did you mean `{meant}`? ")).unwrap_or_default();
        let hint = match (spelled.as_str(), world.noun) {
            ("observers", Noun::World) => {
                "the observers are written after the struct, beside the schedules; ".to_owned()
            }
            ("observers", Noun::Parts) => {
                "parts list observers in a schedule, which the world includes in its own `observers` block; "
                    .to_owned()
            }
            _ if hint.is_empty() => {
                let advice = words::advice(advice::UNKNOWN_SECTION, &spelled);
                advice.map(|advice| format!("{advice}; ")).unwrap_or_default()
            }
            _ => hint,
        };
        errors.push(section.wrong(format!(
            "unknown section `{spelled}` in {title}: {hint}the sections are {}",
            list(&SECTIONS)
        )));
    } else if seen.contains(&spelled) {
        errors.at(&section, format!("{title} has section `{spelled}` twice: join the two"));
    }
    seen.push(spelled);
    let meant = known.or_else(|| SECTIONS.iter().position(|known| Some(*known) == meant));
    if let Some(at) = meant {
        let section = Section { title: &title, name: SECTIONS[at] };
        world.sections[at].extend(section.entries(entries, errors));
    }
    Ok(())
}

/// Includes the parts of this path, which a mistake that was reported has in another form.
fn included(path: TokenStream, world: &mut World, errors: &mut Diagnostics) {
    all(quote::quote!(include #path;), errors, |input, errors| {
        let read = include::entries(input, Vec::new(), world, errors);
        errors.take(read);
    });
}

/// `include` with a path among the entries of a section: where it stands, the path, and the other
/// entries.
fn included_among(entries: &TokenStream) -> Option<(Span, TokenStream, TokenStream)> {
    let trees: Vec<TokenTree> = entries.clone().into_iter().collect();
    let is_end =
        |tree: &TokenTree| matches!(tree, TokenTree::Punct(sign) if matches!(sign.as_char(), ',' | ';'));
    let begins = |&at: &usize| {
        let is_include = matches!(&trees[at], TokenTree::Ident(word) if word == "include");
        is_include
            && (at == 0 || is_end(&trees[at - 1]))
            && matches!(trees.get(at + 1), Some(TokenTree::Ident(_)))
    };
    let begin = (0..trees.len()).find(begins)?;
    let end = trees[begin..].iter().position(is_end).map_or(trees.len(), |length| begin + length);
    let rest = trees[..begin].iter().chain(trees[end..].iter().skip(1));
    Some((trees[begin].span(), trees[begin + 1..end].iter().cloned().collect(), rest.cloned().collect()))
}
