//! `Clone`, where it is asked for, and `Debug`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Type};

use crate::model::world::World;
use crate::names::{Ecs, allow};
use crate::span::{Ends, at};

pub(super) fn of_clone(world: &World) -> TokenStream {
    if !world.attributes.iter().any(derives_clone) {
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
    // the bound is never trivial, so that it is not complained of once more
    let certain = world.components.iter().filter(|entry| entry.cfg().is_empty());
    let demands = certain.map(|entry| {
        let ty = &entry.ty;
        quote!(for<'__a> #ty: ::core::clone::Clone)
    });
    let clones = world.components.iter().map(|entry| {
        let ty = &entry.ty;
        let clone = quote!(::core::option::Option::Some(#ecs::__private::clone_component::<Self, #ty>));
        crate::cfg::element(&entry.attributes, &clone, &quote!(::core::option::Option::None))
    });
    quote! {
        #allow
        impl #ecs::CloneEntity for #ident where #(#demands,)* {
            const CLONES: &'static [::core::option::Option<#ecs::__private::CloneComponent<Self>>] = &[#(#clones)*];
        }
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

fn derives_clone(attribute: &Attribute) -> bool {
    let mut found = false;
    if attribute.path().is_ident("derive") {
        let visited = attribute.parse_nested_meta(|derived| {
            found |= derived.path.segments.last().is_some_and(|last| last.ident == "Clone");
            Ok(())
        });
        found &= visited.is_ok();
    }
    found
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
