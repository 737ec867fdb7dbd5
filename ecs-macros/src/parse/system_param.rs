//! `#[derive(SystemParam)]`, with the options of `#[system_param(..)]`.

use proc_macro2::TokenStream;

use super::derive::{self, Derive};
use super::placed::At;
use crate::diagnostic::Diagnostics;

/// Reads a struct of parameters.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Derive> {
    derive::parse(tokens, "system_param", &[("system_param", At::Item)], errors)
}
