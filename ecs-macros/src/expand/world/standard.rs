//! The impls of `Clone` and of snapshots for a world that derives `Clone`, of `Debug`, and of
//! `Deref` to the methods of other libraries.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Type;

use super::each;
use crate::model::world::World;
use crate::names::{Ecs, allow};
use crate::span::{Ends, at};

pub(super) fn of_clone(world: &World) -> TokenStream {
    if world.derived("Clone").is_none() {
        return TokenStream::new();
    }
    let World { ecs, ident, .. } = world;
    let allow = allow();
    let of_resource: &dyn Fn(&Type) -> TokenStream = &|ty| quote!(#ty);
    let (of_component, of_event) =
        (|ty: &Type| stored(ecs, "Column", ty), |ty: &Type| stored(ecs, "Events", ty));
    let sections = [
        (&world.components, &of_component as _),
        (&world.resources, of_resource),
        (&world.events, &of_event),
    ];
    let of_fields = |make: &dyn Fn(&Ident, TokenStream) -> TokenStream| {
        sections.map(|(entries, stored)| each(entries, |field, ty, _| make(field, stored(ty))))
    };
    let [components, resources, events] =
        of_fields(&|field, ty| quote!(#field: <#ty as ::core::clone::Clone>::clone(&self.#field),));
    let assignments = of_fields(
        &|field, ty| quote!(<#ty as ::core::clone::Clone>::clone_from(&mut __world.#field, &source.#field);),
    );
    let saved = each(&world.components, |field, ty, _| {
        let ty = of_component(ty);
        let clone_from = quote!(<#ty as ::core::clone::Clone>::clone_from);
        quote!(#field: #ecs::__private::snapshot_column::<Self, _>(&mut self.#field, #clone_from),)
    });
    // `for<'__a>` keeps rustc from reporting the bound a second time
    let certain = world.components.iter().filter(|entry| entry.cfg().is_empty());
    let demands = certain.map(|entry| {
        let ty = &entry.ty;
        quote!(for<'__a> #ty: ::core::clone::Clone)
    });
    let of_one = world.components.iter().map(|entry| {
        let ty = &entry.ty;
        let clone = quote!(::core::option::Option::Some(#ecs::__private::clone_component::<Self, #ty>));
        crate::cfg::element(&entry.attributes, &clone, &quote!(::core::option::Option::None))
    });
    quote! {
        #allow
        impl #ecs::__private::CloneEntity for #ident where #(#demands,)* {
            const CLONES: &'static [::core::option::Option<#ecs::__private::CloneComponent<Self>>] = &[#(#of_one)*];
        }
        #allow
        impl ::core::clone::Clone for #ident {
            fn clone(&self) -> Self {
                Self {
                    #components
                    #resources
                    #events
                    __entities: ::core::clone::Clone::clone(&self.__entities),
                    __schedule_states: ::core::clone::Clone::clone(&self.__schedule_states),
                }
            }
            #[inline]
            fn clone_from(&mut self, source: &Self) {
                #ecs::__private::become_another(self, source, |__world| {
                    #(#assignments)*
                });
            }
        }
        #allow
        impl #ecs::__private::SnapshotWorld for #ident {
            #[inline]
            fn __freeze(&mut self) -> Self {
                Self {
                    #resources
                    #events
                    #saved
                    __entities: #ecs::__private::snapshot_entities(&mut self.__entities),
                    __schedule_states: ::core::clone::Clone::clone(&self.__schedule_states),
                }
            }
        }
    }
}

/// `ecs::Column<T>` or `ecs::Events<T>`, with the span of `T`.
fn stored(ecs: &Ecs, name: &str, ty: &Type) -> TokenStream {
    let ends = Ends::of(ty);
    let name = quote::format_ident!("{name}");
    let (open, close) = (at(quote!(#ecs::__private::#name<), ends.first), at(quote!(>), ends.last));
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

/// `Deref` to a type whose methods are the verbs of other libraries, for their compile errors: see
/// `ecs/src/foreign.rs`.
pub(super) fn of_deref(world: &World) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let allow = allow();
    quote! {
        #allow
        #[doc(hidden)]
        impl ::core::ops::Deref for #ident {
            type Target = #ecs::__private::ForeignWorld<Self>;
            fn deref(&self) -> &Self::Target {
                #ecs::__private::ForeignWorld::value()
            }
        }
    }
}
