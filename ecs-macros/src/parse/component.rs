//! `#[derive(Component)]`, with the options of `#[component(..)]`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{DeriveInput, Error, LitInt, Result, Token, Type, parenthesized, token};

use super::options::{self, Known};
use crate::diagnostic::Diagnostics;
use crate::names::{Ecs, text};

/// An item with `#[derive(Component)]` and its options.
pub(crate) struct Component {
    pub(crate) item: DeriveInput,
    pub(crate) ecs: Ecs,
    /// The types in `requires(..)`.
    pub(crate) requires: Vec<Type>,
    /// The word `deref`.
    pub(crate) deref: Option<Ident>,
    /// Whether the word `tracked` is there.
    pub(crate) tracked: bool,
    /// The word `removed`, and how many values it allows.
    pub(crate) removed: Option<Removed>,
    /// Whether the word `unique` is there.
    pub(crate) unique: bool,
}

/// The option `removed`.
pub(crate) struct Removed {
    /// The user's word.
    pub(crate) option: Ident,
    /// The number behind it.
    pub(crate) most: Option<usize>,
}

/// Reads a component.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Component> {
    let item: DeriveInput = options::whole(tokens, errors)?;
    let subject = format!("component `{}`", text(&item.ident));
    let known = Known {
        subject: &subject,
        names: &["requires", "deref", "tracked", "removed", "unique", "crate"],
        shown: &["requires(..)", "deref", "tracked", "removed", "removed = 1024", "unique", "crate = path"],
    };
    let (mut ecs, mut requires, mut deref) = (Ecs::default(), Vec::new(), None);
    let (mut tracked, mut removed, mut unique) = (false, None, false);
    let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
        match text(name).as_str() {
            "requires" => requires = required(input)?,
            "deref" => deref = Some(name.clone()),
            "tracked" => tracked = true,
            "removed" => removed = Some(Removed { option: name.clone(), most: most(input)? }),
            "unique" => unique = true,
            _ => ecs = options::crate_path(input)?,
        }
        Ok(())
    };
    options::attributes(&item.attrs, "component", &known, errors, &mut read);
    Some(Component { item, ecs, requires, deref, tracked, removed, unique })
}

/// `= 1024` behind `removed`, which may be left out.
fn most(input: ParseStream<'_>) -> Result<Option<usize>> {
    if !input.peek(Token![=]) {
        return Ok(None);
    }
    input.parse::<Token![=]>()?;
    let found = input.span();
    let most: LitInt = input.parse().map_err(|_| Error::new(found, MOST))?;
    match most.base10_parse() {
        Ok(most @ 1..) => Ok(Some(most)),
        _ => Err(Error::new(most.span(), MOST)),
    }
}

/// What `removed = ..` must be.
const MOST: &str = "`removed` takes the number of values that are kept at most, from 1 on: `removed = 1024`";

/// `(A, B)` behind `requires`.
fn required(input: ParseStream<'_>) -> Result<Vec<Type>> {
    if !input.peek(token::Paren) {
        return Err(
            input.error("the required components stand in parentheses: `requires(Position, Velocity)`")
        );
    }
    let types;
    parenthesized!(types in input);
    Ok(types.parse_terminated(<Type as syn::parse::Parse>::parse, Token![,])?.into_iter().collect())
}
