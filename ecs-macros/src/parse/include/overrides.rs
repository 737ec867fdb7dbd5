//! The braces behind `include PATH`: other names of fields, options of events, and first values of
//! resources.
//!
//! `include physics { clock as physics_clock = Clock::of(0.5), Bumped(external, keep = 256) };`

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, Expr, Result, Token, braced, parenthesized, token};

use super::entries::Field;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{list, nearest, source, text};
use crate::parse::event;
use crate::parse::options::{all, separated, to_comma};
use crate::parse::world::{Noun, World};

/// An entry of each section, in messages.
const NOUNS: [&str; 3] = ["a component", "a resource", "an event"];

/// All overrides of one `include`.
#[derive(Default)]
pub(super) struct Overrides(Vec<Override>);

/// An override of one entry, which is named by its field or its type.
struct Override {
    name: Ident,
    rename: Option<Ident>,
    /// The tokens in parentheses.
    options: Option<(Span, TokenStream)>,
    value: Option<(Span, Expr)>,
}

impl Overrides {
    /// Reads the braces, if they are there.
    pub(super) fn read(input: ParseStream<'_>, title: &str, noun: Noun, errors: &mut Diagnostics) -> Self {
        let mut overrides = Vec::new();
        if input.peek(token::Brace) {
            let tokens = braces(input).unwrap_or_default();
            all(tokens, errors, |input, errors| {
                separated(input, errors, &mut |input| {
                    overrides.push(Override::read(input, title, noun)?);
                    Ok(())
                });
            });
        }
        Self(overrides)
    }

    /// Changes the entries, of which `fields` has the places.
    pub(super) fn apply(self, path: &str, fields: &[Field], world: &mut World, errors: &mut Diagnostics) {
        let mut seen = HashSet::new();
        for change in self.0 {
            let name = text(&change.name);
            let (field, is_meant) = match find(path, &name, fields) {
                Ok(field) => (field, false),
                Err((message, meant)) => {
                    errors.at(&change.name, message);
                    (meant, true)
                }
            };
            let Some(field) = field else { continue };
            if seen.insert(field.at) || is_meant {
                change.apply(path, field, world, errors);
            } else {
                errors.at(&change.name, format!("`{path}`: `{name}` is changed twice: join the two"));
            }
        }
    }
}

fn braces(input: ParseStream<'_>) -> Result<TokenStream> {
    let fields;
    braced!(fields in input);
    fields.parse()
}

impl Override {
    fn read(input: ParseStream<'_>, title: &str, noun: Noun) -> Result<Self> {
        let (start, found) = (input.span(), source(&to_comma(&input.fork())));
        let expected = || {
            let message = match noun {
                Noun::World => format!(
                    "{title}: expected `field as other`, `Event(keep = 256)` or `resource = value`, found `{found}`"
                ),
                Noun::Parts => format!(
                    "{title}: expected `field as other`, found `{found}`: options and first values are given by the world that includes \
                     these parts"
                ),
            };
            start.wrong(message)
        };
        let name = input.call(Ident::parse_any).map_err(|_| expected())?;
        let rename = input.parse::<Option<Token![as]>>()?.map(|_| input.parse()).transpose();
        let rename = rename.map_err(|_| expected())?;
        let options = if input.peek(token::Paren) {
            let (span, options) = (input.span(), parentheses(input)?);
            Some((span, options))
        } else {
            None
        };
        let equals = input.parse::<Option<Token![=]>>()?;
        let value = equals.map(|equals| Ok::<_, Error>((equals.span, input.parse()?))).transpose()?;
        let none = rename.is_none() && options.is_none() && value.is_none();
        let only_renames = options.is_none() && value.is_none();
        if none || (noun == Noun::Parts && !only_renames) || !(input.is_empty() || input.peek(Token![,])) {
            return Err(expected());
        }
        Ok(Self { name, rename, options, value })
    }

    /// Changes the entry of `field`.
    fn apply(self, path: &str, field: &Field, world: &mut World, errors: &mut Diagnostics) {
        let (section, at) = field.at;
        let (name, ty, noun) = (text(&self.name), &field.ty, NOUNS[section]);
        let entry = &mut world.sections[section][at];
        if let Some(rename) = self.rename {
            entry.name = Some(rename);
        }
        match self.options {
            Some((_, options)) if section == 2 => {
                let subject = format!("event `{ty}` of `{path}`");
                let options = all(options, errors, |input, errors| event::options(input, &subject, errors));
                entry.event.override_with(options);
            }
            Some((span, _)) => errors.push(span.wrong(format!(
                "`{name}` of `{path}` is {noun}: options in parentheses are those of events"
            ))),
            None => {}
        }
        match self.value {
            Some((_, value)) if section == 1 => entry.value = Some(value),
            Some((span, _)) => {
                errors.at(span, format!("`{name}` of `{path}` is {noun}: only resources have a first value"));
            }
            None => {}
        }
    }
}

fn parentheses(input: ParseStream<'_>) -> Result<TokenStream> {
    let options;
    parenthesized!(options in input);
    options.parse()
}

/// The field that is called `name`, or whose type is. Otherwise the message, and the field that is
/// meant.
fn find<'a>(
    path: &str,
    name: &str,
    fields: &'a [Field],
) -> std::result::Result<Option<&'a Field>, (String, Option<&'a Field>)> {
    if let Some(field) = fields.iter().find(|field| field.name == name) {
        return Ok(Some(field));
    }
    let of_type: Vec<&Field> = fields.iter().filter(|field| field.ty == name).collect();
    match of_type.as_slice() {
        [one] => return Ok(Some(one)),
        [] => {}
        several => {
            let names: Vec<&str> = several.iter().map(|field| field.name.as_str()).collect();
            let names = list(&names);
            return Err((
                format!("`{path}` has several fields of `{name}`: write the name of one of them, {names}"),
                None,
            ));
        }
    }
    if event::OPTIONS.contains(&name) {
        return Err((
            format!(
                "`{name}` is an option of an event: write it in parentheses after the event, `Event(external, keep = 256)`"
            ),
            None,
        ));
    }
    let is_type = name.starts_with(char::is_uppercase);
    let name_of = |field: &'a Field| if is_type { &*field.ty } else { &*field.name };
    let names: Vec<&str> = fields.iter().map(name_of).collect();
    let near = nearest(name, &names);
    let hint = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    let meant = near.and_then(|near| fields.iter().find(|field| name_of(field) == near));
    let (noun, plural) = if is_type { ("type", "types") } else { ("field", "fields") };
    Err((format!("`{path}` has no {noun} `{name}`: {hint}its {plural} are {}", list(&names)), meant))
}
