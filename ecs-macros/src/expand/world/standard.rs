//! `Clone`, where it is asked for, and `Debug`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use crate::model::world::World;
use crate::names::{Ecs, allow};
use crate::span::{Ends, at};

pub(super) fn of_clone(world: &World) -> TokenStream {
    if world.derived("Clone").is_none() {
        return TokenStream::new();
    }
    let World { ecs, ident, .. } = world;
    let allow = allow();
    let components = world.components.iter().map(|entry| (entry, stored(ecs, "Column", &entry.ty)));
    let resources = world.resources.iter().map(|entry| {
        let ty = &entry.ty;
        (entry, quote!(#ty))
    });
    let events = world.events.iter().map(|entry| (entry, stored(ecs, "Events", &entry.ty)));
    let fields = components.chain(resources).chain(events).map(|(entry, ty)| {
        let (cfg, field) = (entry.cfg(), &entry.field);
        quote!(#cfg #field: <#ty as ::core::clone::Clone>::clone(&self.#field),)
    });
    quote! {
        #allow
        impl ::core::clone::Clone for #ident {
            fn clone(&self) -> Self {
                Self {
                    #(#fields)*
                    __entities: ::core::clone::Clone::clone(&self.__entities),
                    __places: ::core::clone::Clone::clone(&self.__places),
                }
            }
        }
    }
}

/// `ecs::Column<T>` or `ecs::Events<T>`, lying over `T`.
fn stored(ecs: &Ecs, name: &str, ty: &Type) -> TokenStream {
    let ends = Ends::of(ty);
    let name = quote::format_ident!("{name}");
    let (open, close) = (at(quote!(#ecs::#name<), ends.first), at(quote!(>), ends.last));
    quote!(#open #ty #close)
}

pub(super) fn of_debug(world: &World) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let allow = allow();
    quote! {
        #allow
        impl ::core::fmt::Debug for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #ecs::__private::debug_world(self, f)
            }
        }
    }
}
