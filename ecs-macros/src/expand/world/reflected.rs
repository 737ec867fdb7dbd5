//! `Reflect`: the lists of a world's components, resources and events by which `ecs::reflect` reads
//! and changes it.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::cfg;
use crate::model::world::{Entry, World};
use crate::names::allow;
use crate::span::item_of;

pub(super) fn of_all(world: &World) -> TokenStream {
    if !world.is_reflected() {
        return TokenStream::new();
    }
    let World { ecs, ident, .. } = world;
    let (allow, reflect) = (allow(), quote!(#ecs::__private::reflect));
    let sections =
        [("Component", &world.components), ("Resource", &world.resources), ("Event", &world.events)];
    let lists = sections.map(|(noun, entries)| {
        let entries = entries.iter().map(|entry| match noun {
            "Component" => component(world, entry),
            _ => listed(world, entry, &format!("Reflect{noun}")),
        });
        let (list, entry) = (format_ident!("{}S", noun.to_uppercase()), format_ident!("{noun}Entry"));
        quote! {
            const #list: &'static [::core::option::Option<#reflect::#entry<Self>>] = &[#(#entries)*];
        }
    });
    let described =
        [("COMPONENT", &world.components), ("RESOURCE", &world.resources), ("EVENT", &world.events)];
    let described = described.map(|(noun, entries)| {
        let list = format_ident!("{noun}_DESCRIPTIONS");
        let entries = entries.iter().map(|entry| {
            let ty = &entry.ty;
            let of_type = quote!(#reflect::Description {
                name: ::core::any::type_name::<#ty>,
                docs: #reflect::Marked::<#ty>::DOCS,
                default: #reflect::Marked::<#ty>::DEFAULT,
            });
            cfg::element(&entry.attributes, &of_type, &quote!(#reflect::Description::NONE))
        });
        quote!(const #list: &'static [#reflect::Description] = &[#(#entries)*];)
    });
    quote! {
        #allow
        const _: () = {
            #[allow(unused_imports)]
            use #reflect::{Shown as _, WithoutAspects as _};
            impl #reflect::ReflectedWorld for #ident {
                #(#lists)*
                #(#described)*
                const ASPECTS: ::core::option::Option<#reflect::ListAspects<Self>> =
                    #reflect::Marked::<Self>::ASPECTS;
            }
        };
    }
}

/// The element of a component in the list. A compile error about a type that cannot be read
/// underlines the type.
fn component(world: &World, entry: &Entry) -> TokenStream {
    let (ecs, ty) = (&world.ecs, &entry.ty);
    let marked = quote!(#ecs::__private::reflect::Marked::<#ty>);
    let way = quote!({ if #marked::HIDDEN { 1 } else if #marked::DESCRIBED { 2 } else { 0 } });
    element(world, entry, "ReflectComponent", &way)
}

/// The element of a resource or an event in its list, as of a component.
fn listed(world: &World, entry: &Entry, of_trait: &str) -> TokenStream {
    let (ecs, ty) = (&world.ecs, &entry.ty);
    element(world, entry, of_trait, &quote!({ #ecs::__private::reflect::Marked::<#ty>::HIDDEN }))
}

fn element(world: &World, entry: &Entry, of_trait: &str, way: &TokenStream) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let element = item_of(&entry.ty, ecs, of_trait, &quote!(#ident, #way), "ENTRY");
    cfg::element(&entry.attributes, &element, &quote!(::core::option::Option::None))
}
