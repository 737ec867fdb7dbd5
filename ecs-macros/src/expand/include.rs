//! A world that includes parts, or parts that need others: the call of the first macro that `parts!` made, with all that comes after it.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::parse::world::World;

/// `first! { {{second} .. {last}} {} tokens }`: each macro puts what it has into the second braces, and calls the next
/// one with the rest.
pub(crate) fn calls(world: &World, last: &str, tokens: &TokenStream) -> TokenStream {
    let last = format_ident!("{last}");
    let (ecs, mut paths) = (&world.ecs, world.includes.paths.iter());
    let first = paths.next();
    quote!(#first! { {#({#paths})* {#ecs::__private::#last}} {} #tokens })
}
