//! `world!`: the struct with its sections, then the schedules. [`parts`](super::parts) reads the
//! same sections.
//!
//! The parser recovers: it reports an error and skips to the next comma, section or schedule. The
//! world is still declared, so that the rest of the program causes no further errors.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, Generics, LitStr, Path, PathArguments, Result, Token, Type, TypePath, Visibility,
    braced, parenthesized, token,
};

use super::advice::{self, with_advice};
use super::event;
use super::include::entries::Included;
use super::include::{self, Includes};
use super::options::{self, all, crate_path, next, separated, to_comma, undocumented, until};
use super::schedule;
use super::world_options::WorldOptions;
use crate::built_in;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::schedule::Schedule;
use crate::names::{Ecs, list, nearest, source, text};
use crate::words::{self, is_primitive};

/// Signs that stand in place of the `=` before a first value.
const VALUE_SIGNS: [&str; 6] = [":=", "=>", "->", "<-", "==", ":"];

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

/// `Score::default()` of `Score(Score::default())`, and other values as they are.
fn made_by_itself(value: Expr, ty: &Type) -> Expr {
    if let Expr::Call(call) = &value
        && source(&call.func) == source(ty)
        && let [inner] = call.args.iter().collect::<Vec<_>>()[..]
        && source(inner).starts_with(&format!("{}::", source(ty)))
    {
        return inner.clone();
    }
    value
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

/// The section of an entry, for messages.
struct Section<'a> {
    /// ``world `Game` ``
    title: &'a str,
    name: &'static str,
}

impl Section<'_> {
    fn entries(&self, tokens: TokenStream, errors: &mut Diagnostics) -> Vec<Entry> {
        all(tokens, errors, |input, errors| {
            let (mut entries, mut signs): (Vec<Entry>, Vec<String>) = (Vec::new(), Vec::new());
            while !input.is_empty() {
                let start = input.fork();
                if let Some(inner) = self.nested(input, errors) {
                    entries.extend(self.entries(inner, errors));
                } else {
                    match self.entry(input, errors) {
                        Ok(entry) => entries.push(entry),
                        Err(error) => {
                            errors.push(error);
                            entries.extend(self.rescued(&start));
                            to_comma(input);
                        }
                    }
                }
                self.comma(input, entries.last_mut(), &mut signs, errors);
            }
            entries
        })
    }

    /// Reads and reports braces in the braces of the section, or a list in parentheses.
    fn nested(&self, input: ParseStream<'_>, errors: &mut Diagnostics) -> Option<TokenStream> {
        let Ok(TokenTree::Group(group)) = input.fork().parse() else { return None };
        let is_name = |tree: TokenTree| match tree {
            TokenTree::Ident(name) => text(&name).starts_with(char::is_uppercase),
            tree => tree.to_string() == ",",
        };
        let cure = match group.delimiter() {
            Delimiter::Brace => format!("one pair of braces, `{} {{ .. }}`", self.name),
            Delimiter::Parenthesis | Delimiter::Bracket if group.stream().into_iter().all(is_name) => {
                format!("an entry has one type: write `{}`", source(&group.stream()))
            }
            _ => return None,
        };
        errors.at(input.span(), format!("{}: {cure}", self.shown()));
        input.parse::<TokenTree>().ok().map(|_| group.stream())
    }

    /// The first type in an entry with a mistake, so that the mistake does not cause messages about
    /// a type that is missing.
    fn rescued(&self, start: ParseStream<'_>) -> Option<Entry> {
        let is_type = |input: ParseStream<'_>| {
            let word = input.fork().call(Ident::parse_any);
            input.peek(Token![,]) || word.is_ok_and(|word| text(&word).starts_with(char::is_uppercase))
        };
        until(start, is_type);
        start.peek(Ident::peek_any).then(|| entry_type(start).ok().map(Entry::of)).flatten()
    }

    /// Reads the comma after an entry. If it is missing, reports that and skips to the next entry.
    /// `signs` are the reported ones: many entries apart by `;` are one mistake.
    fn comma(
        &self,
        input: ParseStream<'_>,
        last: Option<&mut Entry>,
        signs: &mut Vec<String>,
        errors: &mut Diagnostics,
    ) {
        let is_end = |input: ParseStream<'_>| input.is_empty() || input.peek(Token![,]);
        if !is_end(input) {
            let (span, sign) = (input.span(), advice::sign(input));
            let before = last.as_ref().map(|entry| source(&entry.ty)).unwrap_or_default();
            let known = last.and_then(|entry| self.behind(input, entry, errors));
            let message = known.unwrap_or_else(|| {
                let behind = if before.is_empty() { before.clone() } else { format!(" after `{before}`") };
                let cure = with_advice(self.at().1, input, &before);
                if !sign.contains('=') {
                    until(input, |input| {
                        is_end(input) || input.peek(Ident::peek_any) || input.peek(Token![#])
                    });
                }
                format!("expected `,`{behind}, found `{sign}`{cure}")
            });
            if !signs.contains(&sign) || sign.starts_with(char::is_alphabetic) {
                errors.at(span, format!("{}: {message}", self.shown()));
            }
            signs.push(sign);
            if input.peek(Ident::peek_any) || input.peek(Token![#]) {
                return;
            }
            to_comma(input);
        }
        options::comma(input);
    }

    /// Reads what belongs to an entry and stands behind it in another form.
    fn behind(&self, input: ParseStream<'_>, entry: &mut Entry, errors: &mut Diagnostics) -> Option<String> {
        let ty = source(&entry.ty);
        if input.peek(Token![as]) {
            input.parse::<Token![as]>().ok()?;
            entry.name = errors.take(self.name(input));
            let name = entry.name.as_ref().map(ToString::to_string).unwrap_or_default();
            return Some(format!("a name stands before the type: write `{name}: {ty}`"));
        }
        let sign = advice::sign(input);
        if self.name == "resources" && VALUE_SIGNS.contains(&sign.as_str()) {
            let ahead = input.fork();
            sign.chars().for_each(|_| _ = ahead.parse::<TokenTree>());
            let cure =
                format!("the first value is written after `=`: `{ty} = {}`", source(&to_comma(&ahead)));
            sign.chars().for_each(|_| _ = input.parse::<TokenTree>());
            entry.value = input.parse().ok();
            return Some(cure);
        }
        let tokens = match input.fork().parse().ok()? {
            TokenTree::Group(group) => group.stream(),
            _ => to_comma(&input.fork()),
        };
        let is_option = |word: &str| event::OPTIONS.contains(&word);
        if self.name != "events" || !is_option(&tokens.clone().into_iter().next()?.to_string()) {
            return None;
        }
        to_comma(input);
        entry.event.external = true; // whatever the options are, they are not missing, too
        Some(format!("options are written in parentheses: `{ty}({})`", source(&tokens)))
    }

    /// For messages: ``world `Game`, section `components` ``.
    fn shown(&self) -> String {
        format!("{}, section `{}`", self.title, self.name)
    }

    /// The places of an entry, and of the tokens behind it, in the table of advice.
    fn at(&self) -> (advice::Place, advice::Place) {
        match self.name {
            "components" => (advice::COMPONENT, advice::BEHIND_COMPONENT),
            "resources" => (advice::RESOURCE, advice::BEHIND_RESOURCE),
            _ => (advice::EVENT, advice::BEHIND_EVENT),
        }
    }

    /// Reports a word that cannot stand before an entry.
    fn word_before(&self, input: ParseStream<'_>, errors: &mut Diagnostics) {
        let advice = advice::advice(self.at().0, input, "");
        if input.peek(Ident::peek_any) && !advice.is_empty() && !input.peek2(Token![:]) {
            errors.at(input.span(), format!("{}: {advice}", self.shown()));
            input.call(Ident::parse_any).ok();
        }
    }

    /// The attributes of an entry that its field can have. Reports others.
    fn attributes(&self, input: ParseStream<'_>, errors: &mut Diagnostics) -> Result<Vec<Attribute>> {
        let (known, others): (Vec<Attribute>, Vec<Attribute>) =
            input.call(Attribute::parse_outer)?.into_iter().partition(schedule::is_known);
        if let Some(wrong) = others.first() {
            let ty = entry_type(&input.fork()).map(|ty| source(&ty)).unwrap_or_default();
            let (name, shown) = (source(&wrong.path()), source(&wrong.meta));
            let cure = if self.name == "events" && event::OPTIONS.contains(&name.as_str()) {
                format!("options are written in parentheses: `{ty}({shown})`")
            } else {
                format!(
                    "an entry takes `#[cfg(..)]` and doc comments, and the options of `{ty}` stand where it is declared: \
                     remove `#[{shown}]`"
                )
            };
            errors.at(wrong, format!("{}: {cure}", self.shown()));
        }
        Ok(known)
    }

    fn entry(&self, input: ParseStream<'_>, errors: &mut Diagnostics) -> Result<Entry> {
        let before = errors.count();
        let attributes = self.attributes(input, errors)?;
        let is_optioned = errors.count() > before;
        if input.peek(Token![pub]) {
            let visibility: Visibility = input.parse()?;
            errors.push(visibility.wrong(format!(
                "{}, section `{}`: the fields of a world are private, and its methods lead to them: remove `{}`",
                self.title,
                self.name,
                source(&visibility)
            )));
        }
        self.word_before(input, errors);
        let name = if input.peek(Ident::peek_any) && input.peek2(Token![:]) && !input.peek2(Token![::]) {
            if let Some(entry) = self.swapped(input, errors) {
                return Ok(entry);
            }
            let name = errors.take(self.name(input));
            input.parse::<Token![:]>()?;
            self.word_before(input, errors);
            name
        } else {
            None
        };
        let before = self.option_before(input, errors) || is_optioned;
        if let Some(quoted) = input.parse::<Option<LitStr>>()? {
            let error = quoted.span().wrong(format!("{}: a type is written without quotes", self.shown()));
            let Ok(ty) = quoted.parse() else { return Err(error) };
            errors.push(error);
            return Ok(Entry { attributes, name, ..Entry::of(ty) });
        }
        let (start, found) = (input.span(), next(input));
        let ahead = input.fork();
        let cure = with_advice(self.at().0, input, "");
        let mut ty =
            entry_type(input).map_err(|_| start.wrong(format!("{}{cure}", self.expected(&found))))?;
        if self.name != "events" && is_value(input) {
            let value: Expr = ahead.parse().map_err(|_| start.wrong(self.expected(&found)))?;
            let value = made_by_itself(value, &ty);
            let (of, listed) = self.value_as_type(name.as_ref(), &mut ty, &source(&value));
            input.advance_to(&ahead);
            errors.at(&value, format!("{}: {of}: {listed}", self.title));
            let value = (self.name == "resources").then_some(value);
            return Ok(Entry { attributes, name, value, ..Entry::of(ty) });
        }
        let mut event = self.options(input, &ty, errors)?;
        event.external |= before;
        let is_value = input.peek(Token![=]) && !input.peek(Token![=>]) && !input.peek(Token![==]);
        let equals = if is_value { input.parse::<Option<Token![=]>>()? } else { None };
        let value = equals.map(|equals| self.value(input, equals)).transpose()?;
        if let (Some(equals), false) = (equals, self.name == "resources") {
            let shown = value.as_ref().map(source).unwrap_or_default();
            let cure = match (self.name, shown.as_str()) {
                (_, "external" | "keep" | "full" | "skip") => {
                    format!(": an option stands in parentheses, `{}({shown})`", source(&ty))
                }
                // the name before the type
                _ if source(&ty).starts_with(char::is_lowercase) => {
                    format!(": a name stands before `:`, `{}: {shown}`", source(&ty))
                }
                _ => String::new(),
            };
            errors.push(equals.span.wrong(format!(
                "{}: only resources have a first value; those in `{}` come and go{cure}",
                self.title, self.name
            )));
            if let (Some(Expr::Path(meant)), true) = (&value, cure.contains("a name")) {
                let path = &meant.path;
                let ty = syn::parse_quote!(#path);
                return Ok(Entry { attributes, ..Entry::of(ty) });
            }
        }
        Ok(Entry { attributes, name, ty, value, event, included: None })
    }

    /// Reads and reports `Position: position`, a name behind its type.
    fn swapped(&self, input: ParseStream<'_>, errors: &mut Diagnostics) -> Option<Entry> {
        let ahead = input.fork();
        let ty = ahead.parse::<Ident>().ok().filter(|ty| text(ty).starts_with(char::is_uppercase))?;
        ahead.parse::<Token![:]>().ok()?;
        let name = ahead.parse::<Ident>().ok()?;
        let is_last = ahead.is_empty() || ahead.peek(Token![,]) || ahead.peek(Token![=]);
        let shown = text(&name);
        let is_name = shown.starts_with(char::is_lowercase) && shown != "str" && !is_primitive(&shown);
        if !(is_last && is_name) {
            return None;
        }
        input.advance_to(&ahead);
        if self.name == "events" && event::OPTIONS.contains(&text(&name).as_str()) {
            errors.at(&name, format!("{}: options are written in parentheses: `{ty}({name})`", self.shown()));
            let event = event::Options { external: true, ..event::Options::default() };
            return Some(Entry {
                event,
                ..Entry::of(Type::Path(TypePath { attrs: Vec::new(), qself: None, path: ty.into() }))
            });
        }
        errors.at(&ty, format!("{}: write `{name}: {ty}`: the name stands before the type", self.shown()));
        let value = input.parse::<Option<Token![=]>>().ok()?.and_then(|_| input.parse().ok());
        Some(Entry {
            name: Some(name),
            value,
            ..Entry::of(Type::Path(TypePath { attrs: Vec::new(), qself: None, path: ty.into() }))
        })
    }

    /// Reads the first value behind `=`.
    fn value(&self, input: ParseStream<'_>, equals: Token![=]) -> Result<Expr> {
        if input.is_empty() || input.peek(Token![,]) {
            return Err(equals.span.wrong(format!("{}: expected a first value after `=`", self.shown())));
        }
        input.parse()
    }

    /// Reports `external` before an event. Returns whether it is there.
    fn option_before(&self, input: ParseStream<'_>, errors: &mut Diagnostics) -> bool {
        let ahead = input.fork();
        let is_option = ahead.call(Ident::parse_any).is_ok_and(|word| word == "external");
        if self.name != "events" || !is_option || !ahead.peek(Ident::peek_any) {
            return false;
        }
        let event = entry_type(&ahead).map(|ty| source(&ty)).unwrap_or_default();
        errors.push(input.span().wrong(format!(
            "{}: options are written in parentheses after the event: `{event}(external)`",
            self.title
        )));
        input.call(Ident::parse_any).is_ok()
    }

    /// Reports a value in place of a type, and takes the type from the value.
    fn value_as_type(&self, name: Option<&Ident>, ty: &mut Type, value: &str) -> (String, String) {
        if let Type::Path(path) = ty
            && path.path.segments.len() > 1
            && path.path.segments.last().is_some_and(|last| text(&last.ident).starts_with(char::is_lowercase))
        {
            path.path.segments.pop();
            path.path.segments.pop_punct();
        }
        let field = name.map(|name| format!("{name}: ")).unwrap_or_default();
        let ty = source(ty);
        match self.name {
            "resources" => (
                format!("`{value}` is a value"),
                format!(
                    "a resource has its type before `=` and its first value after it, `{field}{ty} = {value}`"
                ),
            ),
            _ => (
                format!("`{value}` is a value, and a component is listed by its type"),
                format!("write `{field}{ty}`; an entity gets its value when it is spawned"),
            ),
        }
    }

    /// Reads the options in parentheses after a type.
    fn options(&self, input: ParseStream<'_>, ty: &Type, errors: &mut Diagnostics) -> Result<event::Options> {
        if !input.peek(token::Paren) {
            return Ok(event::Options::default());
        }
        let options;
        parenthesized!(options in input);
        let step = built_in::step_of(ty, self.name == "resources", |_| false);
        let (title, section, ty) = (self.title, self.name, source(ty));
        if section == "events" {
            return Ok(event::options(&options, &format!("event `{ty}` of {title}"), errors));
        }
        let noun = section.trim_end_matches('s');
        let mut external = false;
        separated(&options, errors, &mut |option| {
            let option = to_comma(option);
            let word = source(&option);
            if word == "external" && step.is_some() {
                external = true;
                return Ok(());
            }
            let of_the_type = match section {
                "components" => ["tracked", "removed", "skip", "hidden"].contains(&&*word),
                _ => ["tracked", "skip", "hidden"].contains(&&*word),
            };
            let cure = match (of_the_type, step.is_some()) {
                (true, _) => format!("write `#[{noun}({word})]` on `{ty}`; "),
                (_, true) if section == "resources" => {
                    "the option is `external`, for code outside of the schedules that changes it; ".to_owned()
                }
                _ => String::new(),
            };
            let others = if cure.is_empty() { "" } else { "other " };
            Err(option.wrong(format!(
                "unknown option `{word}` of {noun} `{ty}`: {cure}{section} have no {others}options in `world!`"
            )))
        });
        Ok(event::Options { external, ..event::Options::default() })
    }

    fn name(&self, input: ParseStream<'_>) -> Result<Ident> {
        let name = input.call(Ident::parse_any)?;
        if syn::parse_str::<Ident>(&name.to_string()).is_ok() {
            return Ok(name);
        }
        let raw = syn::parse_str::<Ident>(&format!("r#{name}"));
        let cure = match raw {
            Ok(raw) => format!("write `{raw}`"),
            Err(_) => "give the field another name".to_owned(),
        };
        Err(name.span().wrong(format!("{}: `{name}` is a keyword: {cure}", self.title)))
    }

    fn expected(&self, found: &str) -> String {
        let form = match self.name {
            "components" => "`name: Component` or `Component`",
            "resources" => "`name: Resource`, `name: Resource = value` or `Resource`",
            _ => "`Event`, `name: Event`, `Event(external)` or `Event(keep = 1024)`",
        };
        format!("{}: expected {form}, found `{found}`", self.shown())
    }
}

/// Whether a type is followed by braces, or by parentheses that are not options: a value was
/// written in place of a type.
fn is_value(input: ParseStream<'_>) -> bool {
    if !input.peek(token::Paren) {
        return input.peek(token::Brace);
    }
    let Ok(TokenTree::Group(group)) = input.fork().parse() else { return false };
    let mut trees = group.stream().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(word)), None) => word == "true" || word == "false",
        (Some(TokenTree::Ident(_)), Some(TokenTree::Punct(punct))) => !matches!(punct.as_char(), ',' | '='),
        (Some(TokenTree::Ident(_)), Some(TokenTree::Group(group))) => !group.stream().is_empty(),
        (first, _) => !matches!(first, Some(TokenTree::Ident(_))),
    }
}

/// Reads a segment of a path, which may be `crate`, `self` or `super`, but no other keyword.
fn segment(input: ParseStream<'_>) -> Result<Ident> {
    let is_keyword = |word: &Ident| ["self", "Self", "super", "crate"].iter().any(|keyword| word == keyword);
    if input.fork().call(Ident::parse_any).is_ok_and(|word| is_keyword(&word)) {
        return input.call(Ident::parse_any);
    }
    input.parse()
}

/// Reads a type. A path is read by segments, since `syn` would take options after it for the
/// arguments of an `Fn`.
fn entry_type(input: ParseStream<'_>) -> Result<Type> {
    if !(input.peek(Ident::peek_any) || input.peek(Token![::]))
        || input.peek(Token![dyn])
        || input.peek(Token![fn])
    {
        return input.parse();
    }
    let mut path = Path { leading_colon: input.parse()?, segments: Punctuated::new() };
    loop {
        let ident = input.call(segment)?;
        let mut segment = syn::PathSegment::from(ident);
        if input.peek(Token![<]) || (input.peek(Token![::]) && input.peek3(Token![<])) {
            segment.arguments = PathArguments::AngleBracketed(input.parse()?);
        }
        let is_keyword = ["self", "super", "crate"].iter().any(|keyword| segment.ident == keyword);
        let is_last = !input.peek(Token![::]);
        if is_keyword && (is_last || !segment.arguments.is_empty()) {
            return Err(segment.ident.span().wrong("expected a type"));
        }
        path.segments.push_value(segment);
        if is_last {
            break;
        }
        path.segments.push_punct(input.parse()?);
    }
    Ok(Type::Path(TypePath { attrs: Vec::new(), qself: None, path }))
}
