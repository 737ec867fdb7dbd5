//! `parts!`: a name, type parameters, and in braces the same sections as in a world, and schedules.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{Attribute, Generics, Result, Visibility};

use super::advice::{self, with_advice};
use super::include::Includes;
use super::options::{all, next};
use super::schedule;
use super::world::{Noun, SECTIONS, World, body, is_name, library, sections};
use crate::diagnostic::Diagnostics;
use crate::names::{list, only};
use crate::source_file;

/// Reads parts. `None` if the name is missing. `given` has the entries of the included and needed
/// parts in the second pass.
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
    let (found, mut nameless) = (next(input), None);
    if !is_name(input) {
        let ahead = input.fork();
        if ahead.call(Ident::parse_any).is_ok() && is_name(&ahead) {
            let name = next(&ahead);
            errors.push(input.error(format!("parts are named without `{found}`: `{name} {{ .. }}`")));
            input.advance_to(&ahead);
        } else {
            let error = input.error(format!(
                "expected the name of the parts, `physics {{ .. }}`, and in its braces the sections {} and schedules, \
                 found `{found}`",
                list(&SECTIONS)
            ));
            // the sections of parts that the file includes by one name
            let Some(name) = source_file::only_undeclared_parts(error.span()) else { return Err(error) };
            nameless = Some(Ident::new(&name, error.span()));
            errors.push(error);
        }
    }
    if let Some(ident) = nameless {
        let mut parts = World { attributes, visibility, ..World::new(Noun::Parts, ecs, ident) };
        parts.includes = Includes::new(Noun::Parts, &parts.ecs, &only(&parts.ident), given);
        sections(&input.parse::<TokenStream>()?, &mut parts, errors);
        return Ok(parts);
    }
    let ident: Ident = input.parse()?;
    let mut generics: Generics = input.parse()?;
    generics.where_clause = input.parse()?;
    let body = body(input, &Noun::Parts.named(&ident), errors)?;
    let mut parts = World { attributes, visibility, generics, ..World::new(Noun::Parts, ecs, ident) };
    parts.includes = Includes::new(Noun::Parts, &parts.ecs, &only(&parts.ident), given);
    sections(&body, &mut parts, errors);
    if !input.is_empty() {
        let (found, cure) = (next(input), with_advice(advice::BEHIND_PARTS, input, ""));
        let title = parts.title();
        errors.push(
            input.error(format!("{title}: expected the end of `parts!` after `}}`, found `{found}`{cure}")),
        );
        // the world that includes a schedule finds it
        while schedule::is_next(input) {
            let schedule = schedule::parse(input, &title, &mut parts.includes, errors)?;
            parts.schedules.extend(schedule);
        }
    }
    Ok(parts)
}
