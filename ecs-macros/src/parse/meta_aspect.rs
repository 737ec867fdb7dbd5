//! `#[derive(MetaAspect)]`, with the options of `#[aspect(..)]`.

use proc_macro2::TokenStream;

use super::derive::{self, Derive};
use super::placed::At;
use crate::diagnostic::Diagnostics;

/// Reads a meta-aspect.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Derive> {
    derive::parse(tokens, "aspect", &[("aspect", At::Item), ("one_of", At::Field)], errors)
}
