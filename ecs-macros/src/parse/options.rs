//! Options: the comma-separated list inside `#[component(..)]`, `#[system(World, ..)]` and their like.
//!
//! A broken option is reported and skipped; the ones after it are still read.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Error, Meta, Path, Result, Token};

use crate::diagnostic::Diagnostics;
use crate::names::{Ecs, list, nearest, text};

/// The options that one attribute knows.
pub(crate) struct Known<'a> {
    /// For messages: ``component `Position` ``.
    pub(crate) subject: &'a str,
    /// The names, as they are looked up.
    pub(crate) names: &'a [&'a str],
    /// The names, as they are shown: `requires(..)`.
    pub(crate) shown: &'a [&'a str],
}

impl Known<'_> {
    /// The message for an option that is not known.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let meant =
            nearest(name, self.names).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let (noun, verb) = if self.shown.len() == 1 { ("option", "is") } else { ("options", "are") };
        format!("unknown option `{name}` of {}: {meant}the {noun} {verb} {}", self.subject, list(self.shown))
    }
}

/// Reads the options of every attribute `#[name(..)]`; `read` is called behind the name of each known one.
pub(crate) fn attributes(
    attributes: &[Attribute],
    name: &str,
    known: &Known<'_>,
    errors: &mut Diagnostics,
    read: &mut dyn FnMut(&Ident, ParseStream<'_>) -> Result<()>,
) {
    let mut seen = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        match &attribute.meta {
            Meta::List(options) => {
                let tokens = options.tokens.clone();
                let parser = |input: ParseStream<'_>| {
                    separated(input, errors, &mut |input| option(input, known, &mut seen, read));
                    Ok(())
                };
                let done: Result<()> = parser.parse2(tokens);
                debug_assert!(done.is_ok(), "`separated` reads to the end");
            }
            Meta::Path(_) => errors.at(
                attribute,
                format!(
                    "`#[{name}]` without options says nothing: remove it, or write `#[{name}({})]`",
                    known.shown.join(", ")
                ),
            ),
            Meta::NameValue(_) => errors.at(
                attribute,
                format!("options stand in parentheses: `#[{name}({})]`", known.shown.join(", ")),
            ),
        }
    }
}

/// Reads one option.
pub(crate) fn option(
    input: ParseStream<'_>,
    known: &Known<'_>,
    seen: &mut Vec<String>,
    read: &mut dyn FnMut(&Ident, ParseStream<'_>) -> Result<()>,
) -> Result<()> {
    let name = input.call(Ident::parse_any).map_err(|error| {
        Error::new(error.span(), format!("expected an option of {}: {}", known.subject, list(known.shown)))
    })?;
    let shown = text(&name);
    if !known.names.contains(&shown.as_str()) {
        skip_to_comma(input)?;
        return Err(Error::new(name.span(), known.unknown(&shown)));
    }
    if seen.contains(&shown) {
        skip_to_comma(input)?;
        return Err(Error::new(name.span(), format!("option `{shown}` of {} is given twice", known.subject)));
    }
    seen.push(shown);
    read(&name, input)
}

/// `crate = path`, behind the name.
pub(crate) fn crate_path(input: ParseStream<'_>) -> Result<Ecs> {
    if !input.peek(Token![=]) {
        return Err(input.error("the path of the library stands behind `=`: `crate = my::ecs`"));
    }
    input.parse::<Token![=]>()?;
    input.call(Path::parse_mod_style).map(Ecs::from)
}

/// Calls `read` for everything between commas, to the end of `input`.
pub(crate) fn separated(
    input: ParseStream<'_>,
    errors: &mut Diagnostics,
    read: &mut dyn FnMut(ParseStream<'_>) -> Result<()>,
) {
    while !input.is_empty() {
        let entry = read(input);
        let complete = entry.is_ok();
        errors.take(entry);
        if complete && !input.is_empty() && !input.peek(Token![,]) {
            errors.span(input.span(), format!("expected `,` before `{}`", next(input)));
        }
        errors.take(skip_to_comma(input));
        if !input.is_empty() {
            errors.take(input.parse::<Token![,]>());
        }
    }
}

/// The next token, for a message.
pub(crate) fn next(input: ParseStream<'_>) -> String {
    match input.fork().parse::<TokenTree>() {
        Ok(TokenTree::Group(group)) => {
            let open = match group.delimiter() {
                proc_macro2::Delimiter::Parenthesis => "(",
                proc_macro2::Delimiter::Brace => "{",
                proc_macro2::Delimiter::Bracket => "[",
                proc_macro2::Delimiter::None => return group.to_string(),
            };
            open.to_owned()
        }
        Ok(tree) => tree.to_string(),
        Err(_) => "the end".to_owned(),
    }
}

/// Leaves `input` at the next comma or at its end.
pub(crate) fn skip_to_comma(input: ParseStream<'_>) -> Result<()> {
    to_comma(input).map(drop)
}

/// Everything up to the next comma or the end.
pub(crate) fn to_comma(input: ParseStream<'_>) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}

/// Parses a whole list that is wrapped in a closure which reports for itself.
pub(crate) fn whole<T: Parse>(tokens: TokenStream, errors: &mut Diagnostics) -> Option<T> {
    errors.take(syn::parse2(tokens))
}
