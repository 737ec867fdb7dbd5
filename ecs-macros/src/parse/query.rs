//! `#[derive(Query)]`, with the options of `#[query(..)]`.

use proc_macro2::TokenStream;

use super::derive::{self, Derive};
use super::placed::At;
use crate::diagnostic::Diagnostics;

/// Reads a query.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Derive> {
    derive::parse(tokens, "query", &[("query", At::Item)], errors)
}
