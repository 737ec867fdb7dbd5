//! The impls of `Serialize` and `Deserialize` for a world that derives them: the list of its
//! entries, and the constructor from a draft.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::constructor::first_value;
use super::each;
use crate::model::world::{Entry, World};
use crate::names::allow;
use crate::source_file::is_not_imported;
use crate::span::call_of;

pub(super) fn of_all(world: &World) -> TokenStream {
    if !world.is_saved() {
        return TokenStream::new();
    }
    let World { ecs, ident, .. } = world;
    let allow = allow();
    let (save, serde) = (quote!(#ecs::__private::save), quote!(#ecs::__private::save::serde));
    let components = world.components.iter().map(|entry| component(world, entry));
    let resources = world.resources.iter().map(|entry| listed(world, entry, "SaveResource"));
    let events = world.events.iter().map(|entry| listed(world, entry, "SaveEvent"));
    let constructed = constructed(world);
    // uses the paths in the derive: their imports count as used, and a missing import is reported
    // under the user's word
    let used = ["Serialize", "Deserialize"].map(|name| {
        world.derived(name).filter(|path| !is_not_imported(path)).map(|path| {
            let span = path.span();
            let alias = format_ident!("__{name}", span = span);
            quote_spanned!(span=> #[allow(unused_imports)] use #path as #alias;)
        })
    });
    let used = used.into_iter().flatten().collect::<TokenStream>();
    quote! {
        #allow
        const _: () = {
            use #save::Unmarked as _;
            #used
            impl #save::SavedContents for #ident {
                fn __list(__list: &mut #save::SavedTypes) {
                    #(#components)* #(#resources)* #(#events)*
                }
                fn __make(
                    __draft: &mut #save::Draft<'_>,
                ) -> ::core::result::Result<Self, #save::LoadError> {
                    #constructed
                }
            }
            impl #ecs::__private::ForeignSaved for #ident {}
            impl #serde::Serialize for #ident {
                fn serialize<__S: #serde::Serializer>(
                    &self,
                    serializer: __S,
                ) -> ::core::result::Result<__S::Ok, __S::Error> {
                    #save::serialize(self, serializer)
                }
            }
            impl<'__de> #serde::Deserialize<'__de> for #ident {
                fn deserialize<__D: #serde::Deserializer<'__de>>(
                    deserializer: __D,
                ) -> ::core::result::Result<Self, __D::Error> {
                    #save::deserialize(deserializer)
                }
            }
        };
    }
}

/// Adds a component to the list. A compile error about a type that cannot be saved underlines the
/// type.
fn component(world: &World, entry: &Entry) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let (cfg, ty) = (entry.cfg(), &entry.ty);
    let marks = quote!(#ecs::__private::save::Marks::<#ty>);
    let way = quote!({ if #marks::SKIP { 1 } else if #marks::DESCRIBED { 2 } else { 0 } });
    let arguments = quote!(__list, #marks::ALIASES, #marks::OLDS);
    let call = call_of(ty, ecs, "SaveComponent", &quote!(#ident, #way), "list", arguments);
    quote!(#cfg { #call; })
}

/// Adds a resource or an event to the list, as a component.
fn listed(world: &World, entry: &Entry, of_trait: &str) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let (cfg, ty) = (entry.cfg(), &entry.ty);
    let marks = quote!(#ecs::__private::save::Marks::<#ty>);
    let (generics, arguments) = (quote!(#ident, { #marks::SKIP }), quote!(__list, #marks::ALIASES));
    let call = call_of(ty, ecs, of_trait, &generics, "list", arguments);
    quote!(#cfg { #call; })
}

/// The struct expression of the world, with the values of the draft.
fn constructed(world: &World) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let components = each(&world.components, |field, _, index| quote!(#field: __draft.take_column(#index),));
    let resources = world.resources.iter().map(|entry| {
        let (cfg, field, index, ty) = (entry.cfg(), &entry.field, entry.index, &entry.ty);
        let first = match first_value(entry) {
            Some(value) => quote!(::core::option::Option::Some(#value)),
            None => quote!(#ecs::__private::save::Marks::<#ty>::DEFAULT.map(|default| default())),
        };
        quote!(#cfg #field: __draft.take_resource::<#ty>(#index, || #first)?,)
    });
    let events = each(&world.events, |field, _, _| quote!(#field: #ecs::__private::Events::new(),));
    quote! {
        ::core::result::Result::Ok(#ident {
            #components
            #(#resources)*
            #events
            __entities: #ecs::__private::Entities::new::<Self>(),
            __schedule_states: #ecs::__private::ScheduleStates::new(),
        })
    }
}
