//! `#[cfg(..)]` on the entries of a world.
//!
//! An entry that is compiled out keeps its number: a hole stands in its place, under the opposite
//! condition.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Meta};

/// The `#[cfg(..)]` attributes among `attributes`.
pub(crate) fn of(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect()
}

/// An element of a list, with its comma: `present`, or `hole` where the conditions do not hold.
pub(crate) fn element(attributes: &[Attribute], present: &TokenStream, hole: &TokenStream) -> TokenStream {
    let cfg = of(attributes);
    let Some(opposite) = opposite(&cfg) else { return quote!(#present,) };
    quote!(#(#cfg)* #present, #opposite #hole,)
}

/// The attribute that holds where not all of `cfg` do.
pub(crate) fn opposite(cfg: &[&Attribute]) -> Option<TokenStream> {
    let conditions: Vec<&TokenStream> = cfg
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::List(list) => Some(&list.tokens),
            _ => None,
        })
        .collect();
    (!conditions.is_empty()).then(|| quote!(#[cfg(not(all(#(#conditions),*)))]))
}
