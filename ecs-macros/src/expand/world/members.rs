//! `impl Has<T>`, `HasResource<T>` and `HasEvent<T>`: each type's number and field.
//!
//! A type that is listed twice, once through an alias, makes two impls of one trait; the head of each impl lies over
//! the user's type, so that the compiler underlines the second.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::model::world::{Entry, World};
use crate::names::allow;
use crate::span::{Ends, at};

/// How many places a group of the type-level set has.
const GROUP: usize = 16;

pub(super) fn of_all(world: &World) -> TokenStream {
    let components = world.components.iter().map(|entry| of_component(world, entry));
    let resources = world.resources.iter().map(|entry| of_resource(world, entry));
    let events = world.events.iter().map(|entry| of_event(world, entry));
    quote!(#(#components)* #(#resources)* #(#events)*)
}

/// `unsafe impl Trait<T> for World`, lying over `T`.
fn head(world: &World, entry: &Entry, of_trait: &Ident) -> TokenStream {
    let (ecs, ends) = (&world.ecs, Ends::of(&entry.ty).generated());
    let mut head = at(quote!(unsafe impl #ecs::#of_trait<), ends.first);
    entry.ty.to_tokens(&mut head);
    head.extend(at(quote!(> for), ends.last));
    ends.closing(&world.ident).to_tokens(&mut head);
    head
}

fn of_component(world: &World, entry: &Entry) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let (cfg, allow, head) = (entry.cfg(), allow(), head(world, entry, &format_ident!("Has")));
    let Entry { field, ty, index, .. } = entry;
    let (group, place) = (index / GROUP, index % GROUP);
    quote! {
        #cfg
        #allow
        #head {
            const INDEX: usize = #index;
            type Slot = #ecs::__private::Slot<#group, #place>;
            #[inline(always)]
            unsafe fn __column_ptr(this: *mut Self) -> *mut #ecs::Column<#ty> {
                unsafe { &raw mut (*this).#field }
            }
            fn __fill(at: &mut #ecs::__private::Filler<'_, Self>) {
                <#ty as #ecs::Requirements<#ident>>::fill(at);
            }
        }
    }
}

fn of_resource(world: &World, entry: &Entry) -> TokenStream {
    let (cfg, allow, head) = (entry.cfg(), allow(), head(world, entry, &format_ident!("HasResource")));
    let Entry { field, ty, index, .. } = entry;
    quote! {
        #cfg
        #allow
        #head {
            const INDEX: usize = #index;
            #[inline(always)]
            unsafe fn __resource_ptr(this: *mut Self) -> *mut #ty {
                unsafe { &raw mut (*this).#field }
            }
        }
    }
}

fn of_event(world: &World, entry: &Entry) -> TokenStream {
    let ecs = &world.ecs;
    let (cfg, allow, head) = (entry.cfg(), allow(), head(world, entry, &format_ident!("HasEvent")));
    let Entry { field, ty, index, .. } = entry;
    quote! {
        #cfg
        #allow
        #head {
            const INDEX: usize = #index;
            #[inline(always)]
            unsafe fn __events_ptr(this: *mut Self) -> *mut #ecs::Events<#ty> {
                unsafe { &raw mut (*this).#field }
            }
        }
    }
}
