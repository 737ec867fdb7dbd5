//! Worlds that include parts, and parts that need other parts: calls the chain of macros that `parts!` has generated.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::parse::world::World;

/// `first! { {{second} .. {last}} {} tokens }`: each macro appends its entries to the second braces and calls the next macro.
pub(crate) fn calls(world: &World, last: &str, tokens: &TokenStream) -> TokenStream {
    let last = format_ident!("{last}");
    let (ecs, mut paths) = (&world.ecs, world.includes.paths.iter());
    let first = paths.next();
    quote!(#first! { {#({#paths})* {#ecs::__private::#last}} {} #tokens })
}
