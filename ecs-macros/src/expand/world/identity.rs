//! `impl World`: names, requirements, and the fields by number.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::each;
use super::schedules;
use crate::cfg;
use crate::model::world::{Entry, World};
use crate::names::{allow, text};
use crate::parse::world_options::WorldOptions;
use crate::span::{Ends, item_of, local};

pub(super) fn of_world(world: &World) -> TokenStream {
    let World { ecs, ident, components, resources, events, .. } = world;
    let (name, allow) = (world.name(), allow());
    let fields = components.iter().map(|entry| {
        let field = text(&entry.field);
        cfg::element(&entry.attributes, &quote!(#field), &quote!(""))
    });
    let (components_named, resources_named, events_named) =
        (names(components), names(resources), names(events));
    let (requires, offsets, plans) = (requires(world), offsets(world), schedules::plans(world));
    let (trimmed, stats) = (trimmed(world), stats(world));
    let external = events.iter().map(|entry| entry.event.is_external());
    let saving = cfg!(feature = "serde").then(|| {
        let saving = format_ident!("{}", if world.is_saved() { "IsSaved" } else { "Unsaved" });
        quote!(type Saving = #ecs::__private::save::#saving;)
    });
    let options = options(world);
    let observers = world.schedules.iter().position(|schedule| schedule.observes).map(|index| {
        quote! {
            const OBSERVERS: ::core::option::Option<::core::primitive::usize> = ::core::option::Option::Some(#index);
        }
    });
    let journal = world.options.journal.map(|_| quote!(impl #ecs::__private::HasJournal for #ident {}));

    let visited =
        each(components, |_, ty, _| quote!(#ecs::__private::ComponentVisitor::visit::<#ty>(__visitor);));

    let printed = world.is_reflected().then(|| {
        quote! {
            fn __printed(
                &self,
                component: ::core::primitive::usize,
                slot: ::core::primitive::u32,
            ) -> ::core::option::Option<#ecs::__private::reflect::Printed> {
                #ecs::__private::reflect::printed(self, component, slot)
            }
        }
    });

    quote! {
        #allow
        #[doc(hidden)]
        unsafe impl #ecs::__private::RawWorld for #ident {
            const WORLD_NAME: &'static ::core::primitive::str = #name;
            const COMPONENT_NAMES: &'static [&'static ::core::primitive::str] = &[#components_named];
            const FIELD_NAMES: &'static [&'static ::core::primitive::str] = &[#(#fields)*];
            const RESOURCE_NAMES: &'static [&'static ::core::primitive::str] = &[#resources_named];
            const EVENT_NAMES: &'static [&'static ::core::primitive::str] = &[#events_named];
            const EXTERNAL_EVENTS: &'static [::core::primitive::bool] = &[#(#external),*];
            const REQUIRES: &'static [#ecs::__private::ComponentSet] = &[#requires];
            const CLOSURES: &'static [#ecs::__private::ComponentSet] = &#ecs::__private::closures([#requires]);
            const OFFSETS: &'static [#ecs::__private::ColumnOffset] = { #offsets };
            #saving
            #(#options)*
            #observers
            const GENERATION: ::core::primitive::u32 =
                #ecs::__private::first_generation(
                    ::core::module_path!(),
                    #name,
                    &[Self::COMPONENT_NAMES, Self::RESOURCE_NAMES, Self::EVENT_NAMES],
                );
            #plans
            fn __visit_components<__V: #ecs::__private::ComponentVisitor<Self>>(__visitor: &mut __V) {
                #visited
            }
            #[inline(always)]
            unsafe fn __entities(this: *mut Self) -> *mut #ecs::__private::Entities {
                unsafe { &raw mut (*this).__entities }
            }
            #[inline(always)]
            unsafe fn __schedule_states(this: *mut Self) -> *mut #ecs::__private::ErasedStates {
                #ecs::__private::erase_states(unsafe { &raw mut (*this).__schedule_states })
            }
            fn __system_names(
                place: #ecs::__private::Place,
            ) -> (&'static ::core::primitive::str, &'static ::core::primitive::str) {
                #ecs::__private::system_names::<Self>(place)
            }
            #trimmed
            #stats
            #printed
        }
        #journal
        #allow
        #[doc(hidden)]
        unsafe impl #ecs::__private::MutTarget<#ident, #ecs::__private::OfWorld> for #ident {
            const ACCESS: #ecs::__private::Access = #ecs::__private::Access::EXCLUSIVE;
            const KIND: #ecs::__private::ParamKind = #ecs::__private::ParamKind::WholeWorld;
            #[inline(always)]
            unsafe fn drive(
                world: #ecs::__private::WorldCell<'_, #ident>,
                mut f: impl ::core::ops::FnMut(&mut #ident),
            ) {
                f(unsafe { world.world_mut() })
            }
        }
    }
}

/// The constants that `#[world(..)]` sets.
fn options(world: &World) -> [Option<TokenStream>; 2] {
    let WorldOptions { aliases, journal } = &world.options;
    let aliases = (!aliases.is_empty())
        .then(|| quote!(const WORLD_ALIASES: &'static [&'static ::core::primitive::str] = &[#(#aliases),*];));
    let journal = journal.map(|most| {
        let most = Literal::u32_unsuffixed(most);
        quote!(const JOURNAL: ::core::primitive::usize = #most;)
    });
    [aliases, journal]
}

/// The types as they are spelled; an empty string for a type that is compiled out.
fn names(entries: &[Entry]) -> TokenStream {
    let names = entries.iter().map(|entry| {
        let spelled = entry.spelled();
        cfg::element(&entry.attributes, &quote!(#spelled), &quote!(""))
    });
    quote!(#(#names)*)
}

/// The required components of each component. A type that is no component causes a compile error
/// here.
fn requires(world: &World) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let requires = world.components.iter().map(|entry| {
        let direct = item_of(&entry.ty, ecs, "ComponentOf", ident, "DIRECT");
        cfg::element(&entry.attributes, &direct, &quote!(#ecs::__private::ComponentSet::EMPTY))
    });
    quote!(#(#requires)*)
}

/// The offsets of the columns in the struct.
fn offsets(world: &World) -> TokenStream {
    let World { ecs, components, .. } = world;
    let place = quote!(#ecs::__private::ColumnOffset);
    let offsets = components.iter().map(|entry| {
        let (field, ty, span) = (&entry.field, &entry.ty, Ends::of(&entry.ty).first);
        let (ecs, field) = (ecs.at(span), quote!(&raw const (*__world).#field));
        let this = local("__world", span);
        // the type is written: rustc would infer that of another column beside a misspelt one
        let given = entry.included.is_none().then(|| quote_spanned!(span=> ::<_, #ty>));
        let offset = quote_spanned!(span=> #ecs::__private::column_offset #given (#this, #field));
        cfg::element(&entry.attributes, &offset, &quote!(#place::NONE))
    });
    // computed from the addresses of fields in an uninitialized world: `offset_of!` would be one
    // more constant for each field
    quote! {
        let __world = ::core::mem::MaybeUninit::<Self>::uninit();
        let __world = __world.as_ptr();
        unsafe { &[#(#offsets)*] }
    }
}

fn trimmed(world: &World) -> TokenStream {
    let trims = each(&world.events, |field, _, _| quote!(self.#field.trim::<Self>();));
    quote! {
        fn __trim_events(&mut self) {
            #trims
        }
    }
}

fn stats(world: &World) -> TokenStream {
    let ecs = &world.ecs;
    let stats = each(&world.events, |field, _, _| quote!(each(self.#field.stats::<Self>());));
    quote! {
        fn __event_stats(&self, each: &mut dyn ::core::ops::FnMut(#ecs::__private::EventStats)) {
            #stats
        }
    }
}
