//! A world that includes parts: the call of the first macro that `parts!` made, with all that comes after it.

use proc_macro2::TokenStream;
use quote::quote;

use crate::parse::world::World;

/// `first! { {{second} .. {including_world}} {} tokens }`: each macro puts what it has into the second braces, and
/// calls the next one with the rest.
pub(crate) fn calls(world: &World, tokens: &TokenStream) -> TokenStream {
    let (ecs, mut paths) = (&world.ecs, world.includes.paths.iter());
    let first = paths.next();
    quote!(#first! { {#({#paths})* {#ecs::__private::including_world}} {} #tokens })
}
