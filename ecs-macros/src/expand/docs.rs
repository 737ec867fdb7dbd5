//! Documentation that the macros add to a user's crate: the entries of a world, the stages of a
//! schedule, the data that a system reads and writes.
//!
//! All of it is text behind `cfg_attr(doc, ..)`, so that other builds do not parse it, and
//! `missing_docs` still asks the user for a sentence of his own. Links are written in the short
//! form, ``[`Position`]``: if one leads to a private item, rustdoc shows its text.

mod included;
mod schedule;
mod system;
mod world;

use proc_macro2::TokenStream;
use quote::quote;

pub(super) use self::included::Included;
pub(super) use self::schedule::{of_listed as of_listed_schedule, of_schedule};
pub(super) use self::system::with_access;
pub(super) use self::world::of_world;

/// The text after the user's own documentation, in a paragraph of its own.
fn behind(text: &str) -> TokenStream {
    if text.is_empty() {
        return TokenStream::new();
    }
    let text = format!("\n\n{text}");
    // the links of generated text may lead to private items
    quote!(#[cfg_attr(doc, doc = #text, allow(
        rustdoc::broken_intra_doc_links, rustdoc::private_intra_doc_links, rustdoc::redundant_explicit_links
    ))])
}
