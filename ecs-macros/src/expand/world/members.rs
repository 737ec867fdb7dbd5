//! `Has<T>`, `HasResource<T>` and `HasEvent<T>`: each type's number and field.
//!
//! A type that is listed twice, once by an alias, causes two impls of one trait. The head of each
//! impl has the span of the user's type, so that the compiler underlines the second type.

use proc_macro2::{Delimiter, Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Type;

use crate::cfg;
use crate::model::event::{Bound, Keep};
use crate::model::world::{Entry, World};
use crate::names::allow;
use crate::span::{Ends, at, item_of};

/// The number of members in a group of the type-level set.
const GROUP: usize = 16;

pub(super) fn of_all(world: &World) -> TokenStream {
    let components = world.components.iter().map(|entry| of_component(world, entry));
    let resources = world.resources.iter().map(|entry| of_resource(world, entry));
    let events = world.events.iter().map(|entry| of_event(world, entry));
    let allow = allow();
    // one attribute for all impls, since each attribute costs compile time
    quote! {
        #allow
        const _: () = {
            #(#components)* #(#resources)* #(#events)*
        };
    }
}

/// `unsafe impl Trait<T> for World { body }`, with the span of `T`.
fn implement(world: &World, entry: &Entry, of_trait: &str, body: TokenStream) -> TokenStream {
    let (cfg, ty, ends) = (cfg::of(&entry.attributes), &entry.ty, Ends::of(&entry.ty).generated());
    let (ecs, of_trait) = (world.ecs.at(ends.first), Ident::new(of_trait, ends.first));
    let (ident, body) = (ends.closing(&world.ident), ends.group(Delimiter::Brace, body));
    let behind = quote_spanned!(ends.last=> > for #ident #body);
    quote_spanned!(ends.first=> #(#cfg)* #[doc(hidden)] unsafe impl #ecs::#of_trait<#ty #behind)
}

fn of_component(world: &World, entry: &Entry) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let Entry { field, ty, index, .. } = entry;
    // This type is no component, which is reported elsewhere. The library implements the trait for
    // these types, see `component::mistake`.
    if matches!(ty, Type::Reference(_) | Type::Tuple(_)) {
        return TokenStream::new();
    }
    let (group, member) = (index / GROUP, index % GROUP);
    let kind = item_of(ty, ecs, "ComponentOf", ident, "Kind");
    let (group, member) = (format_ident!("Group{group}"), format_ident!("Member{member}"));
    // the compiler also reports an unsuitable kind for the whole item, and merges both messages if
    // their spans are equal
    let of_kind = at(quote!(type Kind =), Ends::of(ty).first);
    let end = at(quote!(;), Ends::of(ty).last);
    let body = quote! {
        type TypeIndex = #ecs::__private::TypeIndex<#ecs::__private::group::#group, #ecs::__private::member::#member>;
        #of_kind #kind #end
        #[inline(always)]
        unsafe fn __column_ptr(this: *mut Self) -> *mut #ecs::__private::Column<#ty> {
            unsafe { &raw mut (*this).#field }
        }
    };
    implement(world, entry, "Has", body)
}

fn of_resource(world: &World, entry: &Entry) -> TokenStream {
    let ecs = &world.ecs;
    let Entry { field, ty, index, .. } = entry;
    let body = quote! {
        const INDEX: ::core::primitive::usize = #index;
        const SHARED: ::core::primitive::bool = {
            #[allow(unused_imports)]
            use #ecs::__private::UnlessSaid as _;
            <#ecs::__private::Sharing<#ty>>::SHARED
        };
        const TRACKED: ::core::primitive::bool = {
            #[allow(unused_imports)]
            use #ecs::__private::UnlessSaid as _;
            <#ecs::__private::Sharing<#ty>>::TRACKED
        };
        const MAIN_THREAD: ::core::primitive::bool = {
            #[allow(unused_imports)]
            use #ecs::__private::UnlessSaid as _;
            <#ecs::__private::Sharing<#ty>>::MAIN_THREAD
        };
        #[inline(always)]
        unsafe fn __resource_ptr(this: *mut Self) -> *mut #ty {
            unsafe { &raw mut (*this).#field }
        }
    };
    implement(world, entry, "HasResource", body)
}

fn of_event(world: &World, entry: &Entry) -> TokenStream {
    let ecs = &world.ecs;
    let Entry { field, ty, index, .. } = entry;
    let bound = entry.event.bound().map(|Bound { keep, full, clear }| {
        let of = quote!(#ecs::__private::Bound);
        let rest = match keep {
            None => quote!(..#of::DEFAULT),
            Some(Keep::All) => quote!(keep: ::core::primitive::usize::MAX, ..#of::DEFAULT),
            Some(Keep::AtMost(keep)) => {
                let keep = Literal::u32_unsuffixed(keep);
                quote!(keep: #keep, full: #ecs::__private::Full::#full)
            }
        };
        let clear = match clear {
            Some(clear) => quote!(::core::option::Option::Some(#clear)),
            None => quote!(::core::option::Option::None),
        };
        quote!(const BOUND: #of = #of { clear: #clear, #rest };)
    });
    let body = quote! {
        const INDEX: ::core::primitive::usize = #index;
        #bound
        #[inline(always)]
        unsafe fn __events_ptr(this: *mut Self) -> *mut #ecs::__private::Events<#ty> {
            unsafe { &raw mut (*this).#field }
        }
    };
    implement(world, entry, "HasEvent", body)
}
