//! `#[derive(Component)]`, with the options of `#[component(..)]`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{DeriveInput, Result, Token, Type, parenthesized, token};

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
}

/// Reads a component.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Component> {
    let item: DeriveInput = options::whole(tokens, errors)?;
    let subject = format!("component `{}`", text(&item.ident));
    let known = Known {
        subject: &subject,
        names: &["requires", "deref", "tracked", "crate"],
        shown: &["requires(..)", "deref", "tracked", "crate = path"],
    };
    let (mut ecs, mut requires, mut deref, mut tracked) = (Ecs::default(), Vec::new(), None, false);
    let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
        match text(name).as_str() {
            "requires" => requires = required(input)?,
            "deref" => deref = Some(name.clone()),
            "tracked" => tracked = true,
            _ => ecs = options::crate_path(input)?,
        }
        Ok(())
    };
    options::attributes(&item.attrs, "component", &known, errors, &mut read);
    Some(Component { item, ecs, requires, deref, tracked })
}

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
