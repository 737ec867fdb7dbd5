//! Worlds and parts that include or need parts: calls the chain of macros that `parts!` has
//! generated.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Meta};

use crate::parse::include::Link;
use crate::parse::world::World;

/// `first! { {{second} .. {last}} {} tokens }`: each macro appends its entries to the second braces
/// and calls the next macro. A path with `#[cfg(..)]` is called by `include_if!`, which passes it
/// over where it is compiled out.
pub(crate) fn calls(world: &World, last: &str, tokens: &TokenStream) -> TokenStream {
    let last = format_ident!("{last}");
    let ecs = &world.ecs;
    let mut links = world.includes.paths.iter().flat_map(|Link { path, cfg }| {
        if cfg.is_empty() {
            return vec![quote!(#path)];
        }
        let conditions = cfg.iter().map(conditions);
        vec![quote!(#ecs::__private::include_if), quote!({ #(#conditions),* } #path)]
    });
    let first = links.next();
    quote!(#first! { {#({#links})* {#ecs::__private::#last}} {} #tokens })
}

/// The tokens in the parentheses of `#[cfg(..)]`.
fn conditions(cfg: &Attribute) -> TokenStream {
    match &cfg.meta {
        Meta::List(list) => list.tokens.clone(),
        other => other.to_token_stream(),
    }
}
