//! `parts!`: a name, type parameters, and in braces the same sections as in a world, and schedules.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Generics, Result, Token, Visibility, braced, token};

use super::include::Includes;
use super::options::{all, next};
use super::world::{Noun, SECTIONS, World, library, sections};
use crate::diagnostic::Diagnostics;
use crate::names::{list, only, text};

/// Reads parts. `None` if the name is missing. `given` has the entries of the included and needed parts in the second pass.
pub(crate) fn parse(
    tokens: TokenStream,
    given: Option<Vec<TokenStream>>,
    errors: &mut Diagnostics,
) -> Option<World> {
    all(tokens, errors, |input, errors| {
        let parts = parts(input, given, errors);
        errors.take(parts)
    })
}

fn parts(input: ParseStream<'_>, given: Option<Vec<TokenStream>>, errors: &mut Diagnostics) -> Result<World> {
    let ecs = library(input)?;
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility: Visibility = input.parse()?;
    let found = next(input);
    let named = input.peek(Ident::peek_any) && (input.peek2(token::Brace) || input.peek2(Token![<]));
    if !named || SECTIONS.contains(&found.as_str()) {
        return Err(input.error(format!(
            "expected the name of the parts, `physics {{ .. }}`, and in its braces the sections {} and schedules, found \
            `{found}`",
            list(&SECTIONS)
        )));
    }
    let ident: Ident = input.parse()?;
    let mut generics: Generics = input.parse()?;
    generics.where_clause = input.parse()?;
    if !input.peek(token::Brace) {
        let message = format!("parts `{}`: expected `{{` and the sections {}", text(&ident), list(&SECTIONS));
        return Err(input.error(message));
    }
    let body;
    braced!(body in input);
    let mut parts = World { attributes, visibility, generics, ..World::new(Noun::Parts, ecs, ident) };
    parts.includes = Includes::new(Noun::Parts, &parts.ecs, &only(&parts.ident), given);
    sections(&body.parse()?, &mut parts, errors);
    if !input.is_empty() {
        let message = format!(
            "{}: expected the end of `parts!` after `}}`: schedules are written before it",
            parts.title()
        );
        errors.push(input.error(message));
    }
    Ok(parts)
}
