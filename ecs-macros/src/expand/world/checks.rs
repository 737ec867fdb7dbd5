//! Free constants, which `cargo check` evaluates: each calls a checking function of the library, lies over what the
//! user wrote, and fails with the function's message.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::model::schedule::{Place, Schedule};
use crate::model::world::World;
use crate::names::allow;
use crate::span::{Ends, at};

pub(super) fn of_all(world: &World) -> TokenStream {
    let allow = allow();
    let parts = [requirements(world), kinds(world), systems(world), events(world)];
    let repeated = world.schedules.iter().map(|schedule| repetition(world, schedule));
    quote! {
        #allow
        const _: () = {
            #(#parts)*
            #(#repeated)*
        };
    }
}

/// Required components form no cycle.
fn requirements(world: &World) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let call = Ends::of(ident).call(quote!(#ecs::__private::check_requires::<#ident>), quote!());
    quote!(const _: () = #call;)
}

/// Resources are resources, events are events.
fn kinds(world: &World) -> TokenStream {
    let ecs = &world.ecs;
    let resources = world.resources.iter().map(|entry| {
        let (cfg, ty) = (entry.cfg(), &entry.ty);
        quote!(#cfg const _: &str = <#ty as #ecs::Resource>::NAME;)
    });
    let events = world.events.iter().map(|entry| {
        let (cfg, ty) = (entry.cfg(), &entry.ty);
        quote!(#cfg const _: &str = <#ty as #ecs::Event>::NAME;)
    });
    quote!(#(#resources)* #(#events)*)
}

/// All places of all schedules, with the `#[cfg]` attributes of both.
fn places(world: &World) -> impl Iterator<Item = (TokenStream, &Place)> {
    world.schedules.iter().flat_map(|schedule| {
        let of_schedule = crate::cfg::of(&schedule.attributes);
        let of_schedule = quote!(#(#of_schedule)*);
        schedule.places().into_iter().map(move |place| {
            let of_step = &place.cfg;
            (quote!(#of_schedule #(#of_step)*), place)
        })
    })
}

/// The parameters of generic systems go together; those of others were checked where they stand.
fn systems(world: &World) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let checks = places(world).map(|(cfg, place)| {
        let system = &place.system;
        let system = quote!(<#system as #ecs::System<#ident>>);
        let call = Ends::of(&place.system)
            .call(quote!(#ecs::__private::check_system::<#ident>), quote!(#system::NAME, #system::PARAMS));
        quote!(#cfg const _: () = if !#system::CHECKED { #call };)
    });
    quote!(#(#checks)*)
}

/// What is sent is read, and what is read is sent, unless marked `external`.
fn events(world: &World) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let params = places(world).map(|(cfg, place)| {
        let system = &place.system;
        quote!(#cfg <#system as #ecs::System<#ident>>::PARAMS,)
    });
    let checks = world.events.iter().filter(|entry| !entry.is_external()).map(|entry| {
        let (cfg, index) = (entry.cfg(), entry.index);
        let call =
            Ends::of(&entry.ty).call(quote!(#ecs::__private::check_event::<#ident>), quote!(#index, PLACES));
        quote!(#cfg const _: () = #call;)
    });
    quote! {
        const PLACES: &[&[#ecs::ParamInfo]] = &[#(#params)*];
        #(#checks)*
    }
}

/// A system that stands in a schedule twice, once through an alias, makes two impls of one trait; the head of each lies
/// over the user's path, so that the compiler underlines the second.
fn repetition(world: &World, schedule: &Schedule) -> TokenStream {
    let ecs = &world.ecs;
    let marker = format_ident!("{}", schedule.ident);
    let cfg = crate::cfg::of(&schedule.attributes);
    let mut seen = std::collections::HashSet::new();
    let impls =
        schedule.steps().filter(|step| seen.insert(crate::names::source(&step.place.system))).map(|step| {
            let (system, cfg, ends) = (&step.place.system, &step.place.cfg, Ends::of(&step.place.system));
            let head = at(quote!(impl #ecs::__private::Once<), ends.first);
            let (middle, marker) = (at(quote!(> for), ends.last), ends.closing(&marker));
            quote!(#(#cfg)* #head #system #middle #marker {})
        });
    quote! {
        #(#cfg)*
        const _: () = {
            struct #marker;
            #(#impls)*
        };
    }
}
