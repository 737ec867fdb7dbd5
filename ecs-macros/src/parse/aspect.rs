//! `#[derive(Aspect)]`, with the options of `#[aspect(..)]` on the struct and on its fields.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Data, Expr, Field, LitFloat, Member, Meta, Result, Token};

use super::derive::{self, Derive};
use super::options::{self, Known};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{source, text};

/// A struct with `#[derive(Aspect)]`.
pub(crate) struct Aspect {
    pub(crate) derive: Derive,
    /// The attributes of each field.
    pub(crate) settings: Vec<Settings>,
}

/// The options in the attributes of a field.
#[derive(Default)]
pub(crate) struct Settings {
    /// The expression behind `default`.
    pub(crate) default: Option<Expr>,
    pub(crate) overrides: Vec<Override>,
}

/// `.health.max = 9`
pub(crate) struct Override {
    /// The tokens of `.health.max`.
    pub(crate) tokens: TokenStream,
    /// The names of the path.
    pub(crate) path: Vec<String>,
    pub(crate) value: Expr,
}

/// Reads an aspect.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Aspect> {
    let derive = derive::ASPECT.parse(tokens, errors)?;
    let settings = match &derive.item.data {
        Data::Struct(data) => {
            let fields = data.fields.iter().zip(data.fields.members());
            fields.map(|(field, member)| settings(field, &member, errors)).collect()
        }
        _ => Vec::new(),
    };
    Some(Aspect { derive, settings })
}

/// Reads the attributes of a field.
fn settings(field: &Field, member: &Member, errors: &mut Diagnostics) -> Settings {
    let name = crate::model::bundle::shown(member);
    let mut settings = Settings::default();
    let mut seen = Vec::new();
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("aspect")) {
        let Meta::List(list) = &attribute.meta else {
            errors.at(attribute, says_nothing(attribute, &name));
            continue;
        };
        options::all(list.tokens.clone(), errors, |input, errors| {
            options::separated(input, errors, &mut |input| entry(input, &name, &mut seen, &mut settings));
        });
    }
    settings
}

fn says_nothing(attribute: &Attribute, field: &str) -> String {
    let found = attribute.meta.to_token_stream().to_string();
    let of = format!("`#[aspect(default = ..)]` or `#[aspect(.path = ..)]` on field `{field}`");
    match &attribute.meta {
        Meta::Path(_) => format!("`#[aspect]` without options has no effect: remove it, or write {of}"),
        _ => format!("options are written in parentheses, not as in `{found}`: write {of}"),
    }
}

/// Reads one option or override.
fn entry(input: ParseStream<'_>, field: &str, seen: &mut Vec<String>, settings: &mut Settings) -> Result<()> {
    if input.peek(Token![.]) {
        settings.overrides.push(override_of(input, field)?);
        return Ok(());
    }
    if let Ok(name) = input.fork().call(Ident::parse_any)
        && name != "default"
    {
        let ahead = input.fork();
        ahead.call(Ident::parse_any)?;
        if ahead.peek(Token![.]) {
            let (path, of_field) = (
                source(&options::until(&ahead, |input| input.peek(Token![=]) || input.peek(Token![,]))),
                text(&name) == field,
            );
            let path = if of_field { path } else { format!(".{}{path}", text(&name)) };
            return Err(name.span().wrong(format!(
                "what is overridden in field `{field}` begins with a dot, and is a path within that field: `{path} = ..`"
            )));
        }
        return Err(name.span().wrong(format!(
            "unknown option `{0}` of field `{field}`: there is `default = ..`, and what is overridden within the \
             field begins with a dot, `.{0} = ..`",
            text(&name)
        )));
    }
    let subject = format!("field `{field}`");
    let known = Known { subject: &subject, forms: "default = .. | .path = .." };
    let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
        if !input.peek(Token![=]) {
            return Err(name.span().wrong(format!(
                "the first value of field `{field}` is written after `=`: `default = Health {{ now: 5, max: 5 }}`"
            )));
        }
        settings.default = Some(value(input)?);
        Ok(())
    };
    options::option(input, &known, seen, &mut read)
}

/// Reads `.health.max = 9`.
fn override_of(input: ParseStream<'_>, field: &str) -> Result<Override> {
    let (mut tokens, mut path) = (TokenStream::new(), Vec::new());
    while input.peek(Token![.]) {
        input.parse::<Token![.]>()?.to_tokens(&mut tokens);
        member(input, &mut tokens, &mut path)?;
    }
    if !input.peek(Token![=]) {
        return Err(tokens.wrong(format!(
            "an override of field `{field}` is the path within it, `=` and a value: `.health.max = 9`"
        )));
    }
    Ok(Override { tokens, path, value: value(input)? })
}

/// Reads `=` and a value. An assignment in place of the value means a missing comma:
/// `.a = 1 .b = 2`.
fn value(input: ParseStream<'_>) -> Result<Expr> {
    let equals: Token![=] = input.parse()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(equals.wrong("expected a value after `=`"));
    }
    match input.parse()? {
        Expr::Assign(assign) => Err(assign.eq_token.wrong(
            "a second value here: overrides are separated by commas, `.health.max = 9, .speed = Speed(2)`",
        )),
        value => Ok(value),
    }
}

/// Reads a name, a number, or two numbers that tokenize as a float, as in `.0.1`.
fn member(input: ParseStream<'_>, tokens: &mut TokenStream, path: &mut Vec<String>) -> Result<()> {
    if input.peek(LitFloat) {
        let number: LitFloat = input.parse()?;
        let digits = number.to_string();
        let is_path =
            digits.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        if !is_path {
            return Err(number.span().wrong(NO_FIELD));
        }
        path.extend(digits.split('.').map(str::to_owned));
        number.to_tokens(tokens);
        return Ok(());
    }
    if input.is_empty() {
        return Err((*tokens).wrong(NO_FIELD));
    }
    let found = input.span();
    let member: Member = input.parse().map_err(|_| found.wrong(NO_FIELD))?;
    path.push(match &member {
        Member::Named(name) => text(name),
        Member::Unnamed(index) => index.index.to_string(),
    });
    member.to_tokens(tokens);
    Ok(())
}

/// The message for an invalid path.
const NO_FIELD: &str = "expected the name or the number of a field";
