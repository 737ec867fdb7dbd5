//! `#[derive(Resource)]` and `#[derive(Event)]`.

use proc_macro2::TokenStream;

use super::derive::{self, Derive};
use crate::diagnostic::Diagnostics;

/// Reads a resource.
pub(crate) fn resource(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Derive> {
    derive::parse(tokens, "resource", errors)
}

/// Reads an event.
pub(crate) fn event(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Derive> {
    derive::parse(tokens, "event", errors)
}
