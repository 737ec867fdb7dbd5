//! A world: a plain struct with a field for each component, resource and event, and the impls that
//! give the library access to the fields.

mod checks;
mod constructor;
mod declaration;
mod identity;
mod members;
mod reflected;
mod saved;
pub(super) mod schedules;
mod standard;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Type;

use crate::expand::docs::Included;
use crate::model::world::{Entry, World};

pub(crate) fn expand(world: &World) -> TokenStream {
    let included = &Included::of(world);
    let parts = [
        declaration::of_struct(world),
        declaration::of_columns(world, included),
        identity::of_world(world),
        members::of_all(world),
        constructor::of_methods(world, included),
        constructor::of_default(world, included),
        standard::of_clone(world),
        standard::of_debug(world),
        standard::of_deref(world),
        saved::of_all(world),
        reflected::of_all(world),
        checks::of_all(world),
        alias_of_the_trait(world),
    ];
    quote!(#(#parts)*)
}

/// The type that a file with the mistake means by `World`, so that the compiler does not report the
/// trait at each use.
fn alias_of_the_trait(world: &World) -> TokenStream {
    let ident = &world.ident;
    let alias = world.is_called_world.then(|| quote!(#[allow(dead_code)] type World = #ident;));
    quote!(#alias)
}

/// The parts of the expansion that check a world, without its constructors and methods.
pub(crate) fn checked(world: &World) -> TokenStream {
    let parts = [
        declaration::of_struct(world),
        identity::of_world(world),
        members::of_all(world),
        standard::of_debug(world),
        standard::of_deref(world),
        checks::of_all(world),
    ];
    quote!(#(#parts)*)
}

/// The tokens that `of` makes of the field, the type and the number of each entry, behind the
/// entry's `#[cfg(..)]`.
fn each<'e>(
    entries: impl IntoIterator<Item = &'e Entry>,
    of: impl Fn(&Ident, &Type, usize) -> TokenStream,
) -> TokenStream {
    let tokens = entries.into_iter().map(|entry| {
        let cfg = crate::cfg::of(&entry.attributes);
        let tokens = of(&entry.field, &entry.ty, entry.index);
        quote!(#(#cfg)* #tokens)
    });
    tokens.collect()
}
