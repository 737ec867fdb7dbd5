//! `#[derive(Resource)]` and `#[derive(Event)]`.

use proc_macro2::TokenStream;

use super::derive::{self, Derive};
use super::placed::At;
use crate::diagnostic::Diagnostics;

/// Reads a resource.
pub(crate) fn resource(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Derive> {
    derive::parse(tokens, "resource", &[("resource", At::Item)], errors)
}

/// Reads an event.
pub(crate) fn event(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Derive> {
    derive::parse(tokens, "event", &[("event", At::Item)], errors)
}
