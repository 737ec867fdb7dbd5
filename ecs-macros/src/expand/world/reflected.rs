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
    let save = quote!(#ecs::__private::save);
    let sections =
        [("Component", &world.components), ("Resource", &world.resources), ("Event", &world.events)];
    let lists = sections.map(|(noun, entries)| {
        let entries = entries.iter().map(|entry| {
            let ty = &entry.ty;
            let functions = functions(world, entry, noun);
            let listed = quote!((
                #reflect::Description {
                    name: ::core::any::type_name::<#ty>,
                    docs: #save::Marks::<#ty>::DOCS,
                    default: #save::Marks::<#ty>::TREE,
                },
                #functions,
            ));
            let hole = quote!((#reflect::Description::NONE, ::core::option::Option::None));
            cfg::element(&entry.attributes, &listed, &hole)
        });
        let list = format_ident!("{}s", noun.to_lowercase());
        quote!(#list: &[#(#entries)*],)
    });
    quote! {
        #allow
        const _: () = {
            #[allow(unused_imports)]
            use #save::Unmarked as _;
            impl #reflect::ReflectedWorld for #ident {
                const LISTS: #reflect::ReflectedLists<Self> = #reflect::ReflectedLists {
                    #(#lists)*
                    aspects: #save::Marks::<Self>::ASPECTS,
                };
            }
        };
    }
}

/// The functions of a type of the lists. A compile error about a type that cannot be read underlines
/// the type.
fn functions(world: &World, entry: &Entry, noun: &str) -> TokenStream {
    let (World { ecs, ident, .. }, ty) = (world, &entry.ty);
    let marked = quote!(#ecs::__private::save::Marks::<#ty>);
    let way = match noun {
        "Component" => quote!({ if #marked::HIDDEN { 1 } else if #marked::DESCRIBED { 2 } else { 0 } }),
        _ => quote!({ #marked::HIDDEN }),
    };
    item_of(ty, ecs, &format!("Reflect{noun}"), &quote!(#ident, #way), "ENTRY")
}
