//! The entries of a section of a world, and the mistakes of newcomers in them.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, LitStr, Path, PathArguments, Result, Token, Type, TypePath, Visibility, parenthesized,
    token,
};

use super::Entry;
use crate::built_in;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{source, text};
use crate::parse::advice::{self, with_advice};
use crate::parse::options::{self, all, next, separated, to_comma, until};
use crate::parse::{event, schedule};
use crate::words::is_primitive;

/// Signs that stand in place of the `=` before a first value.
const VALUE_SIGNS: [&str; 6] = [":=", "=>", "->", "<-", "==", ":"];

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

/// The section of an entry, for messages.
pub(super) struct Section<'a> {
    /// ``world `Game` ``
    pub(super) title: &'a str,
    pub(super) name: &'static str,
}

impl Section<'_> {
    pub(super) fn entries(&self, tokens: TokenStream, errors: &mut Diagnostics) -> Vec<Entry> {
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
