//! `#[derive(Bundle)]`, with the options of `#[bundle(..)]`.

use proc_macro2::TokenStream;

use super::derive::{self, Derive};
use super::placed::At;
use crate::diagnostic::Diagnostics;

/// Reads a bundle.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Derive> {
    derive::parse(tokens, "bundle", &[("bundle", At::Item)], errors)
}
