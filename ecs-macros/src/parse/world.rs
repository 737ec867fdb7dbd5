//! `world!`: the struct with its sections, then the schedules. [`parts`](super::parts) reads the same sections.
//!
//! The parser recovers: it reports an error and skips to the next comma, section or schedule. The world is still declared, so
//! that the rest of the program causes no further errors.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, Generics, Path, PathArguments, Result, Token, Type, TypePath, Visibility, braced,
    parenthesized, token,
};

use super::event;
use super::include::entries::Included;
use super::include::{self, Includes};
use super::options::{self, all, crate_path, next, separated, to_comma, undocumented, until};
use super::schedule::{self, Schedule};
use super::world_options::WorldOptions;
use crate::diagnostic::Diagnostics;
use crate::names::{Ecs, list, nearest, source, text};

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

/// Reads a world. `None` if the name is missing. `given` has the included entries in the second pass.
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
    let (mut world, body) = head(input)?;
    let title = world.title();
    world.options = WorldOptions::take(&mut world.attributes, &title, errors);
    world.includes = Includes::new(Noun::World, &world.ecs, &world.ident, given);
    sections(&body, &mut world, errors);
    world.includes.lists.list(&world.sections);
    while !input.is_empty() {
        let title = world.title();
        let parsed = if schedule::is_observers(input) {
            schedule::observers(input, &title, &mut world.includes, errors)
        } else {
            schedule::parse(input, &title, &mut world.includes, errors)
        };
        match parsed {
            Ok(schedule) => world.schedules.push(schedule),
            Err(error) => {
                errors.push(error);
                schedule::skip_to_next(input);
            }
        }
    }
    Ok(world)
}

/// Reads the tokens up to the struct's braces, and the tokens in them.
fn head(input: ParseStream<'_>) -> Result<(World, TokenStream)> {
    let ecs = library(input)?;
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    if !input.peek(Token![struct]) {
        return Err(input.error(format!(
            "expected `struct NAME {{ .. }}` with the sections {} of the world",
            list(&SECTIONS)
        )));
    }
    input.parse::<Token![struct]>()?;
    let ident: Ident = input.parse()?;
    let mut generics: Generics = input.parse()?;
    generics.where_clause = input.parse()?;
    if !input.peek(token::Brace) {
        let message = format!("world `{}`: expected `{{` and the sections {}", text(&ident), list(&SECTIONS));
        return Err(input.error(message));
    }
    let body;
    braced!(body in input);
    let body = body.parse()?;
    Ok((World { attributes, visibility, generics, ..World::new(Noun::World, ecs, ident) }, body))
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
        return Err(Error::new(
            name.span(),
            format!("unknown option `{name}` of `world!`: the option is `crate = path`"),
        ));
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
                until(input, |input| is_section(input) || include::is_entry(input));
            }
        }
    });
}

fn is_section(input: ParseStream<'_>) -> bool {
    (input.peek(Ident::peek_any) && input.peek2(token::Brace)) || is_misspelled_section(input)
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
        let message = format!(
            "{title}: unexpected `{sign}` between `{section}` and its braces: write `{section} {{ .. }}`"
        );
        errors.at(sign, message);
    }
    let (span, entries): (_, TokenTree) = (input.span(), input.parse()?);
    let TokenTree::Group(entries) = entries else {
        return Err(Error::new(span, format!("{title}: expected `{section} {{ .. }}`")));
    };
    if entries.delimiter() != Delimiter::Brace && sign.is_none() {
        errors.span(span, format!("{title}: section `{section}` is written in braces: `{section} {{ .. }}`"));
    }
    Ok(entries.stream())
}

/// Whether a schedule comes next, after its attributes, if `noun` takes schedules in its braces.
fn is_schedule_of_parts(input: ParseStream<'_>, noun: Noun) -> bool {
    let ahead = input.fork();
    noun == Noun::Parts
        && ahead.call(Attribute::parse_outer).is_ok()
        && schedule::is_next(&ahead)
        && !is_section(&ahead)
}

fn section(
    input: ParseStream<'_>,
    world: &mut World,
    seen: &mut Vec<String>,
    errors: &mut Diagnostics,
) -> Result<()> {
    let title = world.title();
    if is_schedule_of_parts(input, world.noun) {
        let schedule = schedule::parse(input, &title, &mut world.includes, errors)?;
        world.schedules.push(schedule);
        return Ok(());
    }
    let attributes = input.call(Attribute::parse_outer)?;
    if include::is_entry(input) {
        let cfg = include::conditions(attributes, |message| format!("{title}: {message}"))?;
        return include::entries(input, cfg, world, errors);
    }
    if let (Some(wrong), true) = (undocumented(&attributes), is_section(input)) {
        let message = format!(
            "{title}: a section takes doc comments and no other attributes: write `#[cfg(..)]` before each of its entries"
        );
        errors.at(wrong, message);
    }
    if schedule::is_next(input) && !is_section(input) {
        let word = input.call(Ident::parse_any)?;
        errors.span(
            word.span(),
            format!(
                "{title}: schedules are written after the struct: close the struct with `}}` before `schedule`"
            ),
        );
        input.call(Ident::parse_any)?;
        input.parse::<TokenTree>()?;
        return Ok(());
    }
    if !is_section(input) {
        return Err(input.error(format!(
            "{title}: expected a section, `components {{ .. }}`, `resources {{ .. }}` or `events \
            {{ .. }}`, found `{}`",
            next(input)
        )));
    }
    let section = input.call(Ident::parse_any)?;
    let spelled = text(&section);
    let entries = braces(input, &title, &spelled, errors)?;
    if input.peek(Token![,]) {
        errors.span(input.span(), format!("{title}: sections are not separated by `,`: remove it"));
        options::comma(input);
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
            _ => hint,
        };
        errors.at(
            &section,
            format!("unknown section `{spelled}` in {title}: {hint}the sections are {}", list(&SECTIONS)),
        );
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

/// The section of an entry, for messages.
struct Section<'a> {
    /// ``world `Game` ``
    title: &'a str,
    name: &'static str,
}

impl Section<'_> {
    fn entries(&self, tokens: TokenStream, errors: &mut Diagnostics) -> Vec<Entry> {
        all(tokens, errors, |input, errors| {
            let mut entries: Vec<Entry> = Vec::new();
            while !input.is_empty() {
                match self.entry(input, errors) {
                    Ok(entry) => entries.push(entry),
                    Err(error) => {
                        errors.push(error);
                        to_comma(input);
                    }
                }
                self.comma(input, entries.last(), errors);
            }
            entries
        })
    }

    /// Reads the comma after an entry. If it is missing, reports that and skips to the next entry.
    fn comma(&self, input: ParseStream<'_>, last: Option<&Entry>, errors: &mut Diagnostics) {
        if !(input.is_empty() || input.peek(Token![,])) {
            let behind = last.map(|entry| format!(" after `{}`", source(&entry.ty))).unwrap_or_default();
            let message = format!(
                "{}, section `{}`: expected `,`{behind}, found `{}`",
                self.title,
                self.name,
                next(input)
            );
            errors.span(input.span(), message);
            if input.peek(Ident::peek_any) || input.peek(Token![#]) {
                return;
            }
            to_comma(input);
        }
        options::comma(input);
    }

    fn entry(&self, input: ParseStream<'_>, errors: &mut Diagnostics) -> Result<Entry> {
        let attributes = input.call(Attribute::parse_outer)?;
        if input.peek(Token![pub]) {
            let visibility: Visibility = input.parse()?;
            let message = format!(
                "{}, section `{}`: the fields of a world are private, and its methods lead to them: remove `{}`",
                self.title,
                self.name,
                source(&visibility)
            );
            errors.at(&visibility, message);
        }
        let name = if input.peek(Ident::peek_any) && input.peek2(Token![:]) && !input.peek2(Token![::]) {
            let name = errors.take(self.name(input));
            input.parse::<Token![:]>()?;
            name
        } else {
            None
        };
        let before = self.option_before(input, errors);
        let (start, found) = (input.span(), next(input));
        let ahead = input.fork();
        let mut ty = entry_type(input).map_err(|_| Error::new(start, self.expected(&found)))?;
        if self.name != "events" && is_value(input) {
            let value: Expr = ahead.parse().map_err(|_| Error::new(start, self.expected(&found)))?;
            let (of, listed) = self.value_as_type(name.as_ref(), &mut ty, &source(&value));
            input.advance_to(&ahead);
            errors.at(&value, format!("{}: {of}: {listed}", self.title));
            let value = (self.name == "resources").then_some(value);
            return Ok(Entry {
                attributes,
                name,
                ty,
                value,
                event: event::Options::default(),
                included: None,
            });
        }
        let mut event = self.options(input, &ty, errors)?;
        event.external |= before;
        let equals = input.parse::<Option<Token![=]>>()?;
        let value = equals.map(|_| input.parse::<Expr>()).transpose()?;
        if let (Some(equals), false) = (equals, self.name == "resources") {
            let message = format!(
                "{}: only resources have a first value; those in `{}` come and go",
                self.title, self.name
            );
            errors.span(equals.span, message);
        }
        Ok(Entry { attributes, name, ty, value, event, included: None })
    }

    /// Reports `external` before an event. Returns whether it is there.
    fn option_before(&self, input: ParseStream<'_>, errors: &mut Diagnostics) -> bool {
        let ahead = input.fork();
        let is_option = ahead.call(Ident::parse_any).is_ok_and(|word| word == "external");
        if self.name != "events" || !is_option || !ahead.peek(Ident::peek_any) {
            return false;
        }
        let event = entry_type(&ahead).map(|ty| source(&ty)).unwrap_or_default();
        let message = format!(
            "{}: options are written in parentheses after the event: `{event}(external)`",
            self.title
        );
        errors.span(input.span(), message);
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
        let (title, section, ty) = (self.title, self.name, source(ty));
        if section == "events" {
            return Ok(event::options(&options, &format!("event `{ty}` of {title}"), errors));
        }
        let noun = section.trim_end_matches('s');
        separated(&options, errors, &mut |option| {
            let option = to_comma(option);
            let word = source(&option);
            let message =
                format!("unknown option `{word}` of {noun} `{ty}`: {section} have no options in `world!`");
            Err(Error::new_spanned(option, message))
        });
        Ok(event::Options::default())
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
        Err(Error::new(name.span(), format!("{}: `{name}` is a keyword: {cure}", self.title)))
    }

    fn expected(&self, found: &str) -> String {
        let form = match self.name {
            "components" => "`name: Component` or `Component`",
            "resources" => "`name: Resource`, `name: Resource = value` or `Resource`",
            _ => "`Event`, `name: Event`, `Event(external)` or `Event(keep = 1024)`",
        };
        format!("{}, section `{}`: expected {form}, found `{found}`", self.title, self.name)
    }
}

/// Whether a type is followed by braces, or by parentheses that are not options: a value was written in place of a type.
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

/// Reads a type. A path is read by segments, since `syn` would take options after it for the arguments of an `Fn`.
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
            return Err(Error::new(segment.ident.span(), "expected a type"));
        }
        path.segments.push_value(segment);
        if is_last {
            break;
        }
        path.segments.push_punct(input.parse()?);
    }
    Ok(Type::Path(TypePath { qself: None, path }))
}
