//! Free constants, which `cargo check` evaluates. Each calls a checking function of the library; a
//! failure shows the function's message under the user's text.

use std::collections::HashSet;

use proc_macro2::{Delimiter, TokenStream};
use quote::{quote, quote_spanned};

use crate::built_in::step_of;
use crate::model::parameter::named;
use crate::model::schedule::{Place, Schedule};
use crate::model::world::{Entry, World};
use crate::names::{allow, source};
use crate::parse::world::Noun;
use crate::span::{Ends, at, item_of};

use super::each;
use super::schedules::{constant_at, is_placed};

pub(super) fn of_all(world: &World) -> TokenStream {
    let allow = allow();
    let (mut events, mut steps) = (TokenStream::new(), TokenStream::new());
    if world.noun == Noun::World {
        (events, steps) = (self::events(world), self::steps(world));
    }
    let compared = !events.is_empty() || !steps.is_empty();
    let descriptions = if compared { descriptions(world) } else { TokenStream::new() };
    let parts = [
        descriptions,
        equal(world),
        steps,
        requirements(world),
        kinds(world),
        thread_safe(world),
        systems(world),
        includes(world),
        observers(world),
        events,
    ];
    let aligned = super::declaration::aligned(world);
    let repeated = world.schedules.iter().map(|schedule| repetition(world, schedule));
    quote! {
        #allow
        const _: () = {
            #(#parts)*
            #(#repeated)*
            #aligned
        };
    }
}

/// Checks that the types of includes that are taken for one entry are one.
fn equal(world: &World) -> TokenStream {
    let ecs = &world.ecs;
    let entries = world.entries();
    let checks = entries.flat_map(|entry| {
        let (cfg, ty) = (entry.cfg(), &entry.ty);
        let others = entry.included.iter().flat_map(|included| &included.equal);
        others.map(move |other| {
            let same = item_of(other, ecs, "SameEntry", ty, "SAME");
            quote!(#cfg const _: () = #same;)
        })
    });
    quote!(#(#checks)*)
}

/// Checks that required components form no cycle.
fn requirements(world: &World) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let call = Ends::of(ident).call(ecs, &["check_requires"], ident, quote!());
    quote!(const _: () = #call;)
}

/// Checks that each listed resource implements `Resource`, and each event `Event`, and that the
/// event's own check finds no mistake.
fn kinds(world: &World) -> TokenStream {
    let ecs = &world.ecs;
    let resources = each(
        &world.resources,
        |_, ty, _| quote!(const _: () = <#ty as #ecs::__private::IsResource>::DERIVED;),
    );
    let events = world.events.iter().map(|entry| {
        let (cfg, ty) = (entry.cfg(), &entry.ty);
        let ends = Ends::of(ty);
        let check = at(quote!(#ecs::__private::check_event_type), ends.first);
        let found = ends.group(Delimiter::Parenthesis, quote!(<#ty as #ecs::__private::IsEvent>::DERIVED));
        quote!(#cfg const _: () = #check #found;)
    });
    quote!(#resources #(#events)*)
}

/// Checks that all data of the world is `Send` and `Sync`, except for resources of the main thread,
/// which the contracts of `World`, `Has`, `HasResource` and `HasEvent` require. One constant checks
/// all types: each constant is a body that the compiler must check.
fn thread_safe(world: &World) -> TokenStream {
    let ecs = &world.ecs;
    let check = |entry: &crate::model::world::Entry, function: &str, ty: TokenStream| {
        let call = Ends::of(&entry.ty).call(ecs, &[function], ty, quote!());
        let cfg = entry.cfg();
        quote!(#cfg { #call })
    };
    let others = world.components.iter().chain(&world.events);
    let others = others.map(|entry| {
        let ty = &entry.ty;
        check(entry, "check_thread_safe", quote!(#ty))
    });
    let resources = world.resources.iter().map(|entry| {
        let ty = &entry.ty;
        check(entry, "check_resource", quote!(#ty, { <#ecs::__private::Sharing<#ty>>::MAIN_THREAD }))
    });
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #ecs::__private::UnlessSaid as _;
            #(#others)* #(#resources)*
        };
    }
}

/// All places of all schedules, each with the `#[cfg]` attributes of its schedule and its step.
fn places(world: &World) -> impl Iterator<Item = (TokenStream, &Place)> {
    world.schedules.iter().flat_map(|schedule| {
        let of_schedule = crate::cfg::of(&schedule.attributes);
        let of_schedule = quote!(#(#of_schedule)*);
        let places = schedule.places().into_iter();
        let is_system = |place: &&Place| !is_schedule(world, place);
        places.filter(is_system).map(move |place| {
            let of_step = &place.cfg;
            (quote!(#of_schedule #(#of_step)*), place)
        })
    })
}

/// Whether the place runs another schedule, not a system.
fn is_schedule(world: &World, place: &Place) -> bool {
    Schedule::named_by(&place.system, &world.name(), &world.schedules).is_some()
}

/// Checks the parameters of generic systems against each other. The other systems are checked at
/// their definitions.
fn systems(world: &World) -> TokenStream {
    let (ecs, ident) = (&world.ecs, &world.ident);
    let checks = places(world).map(|(cfg, place)| {
        let desc = constant_at(world, place, "DESC");
        let call = Ends::of(&place.system).call(ecs, &["check_place"], ident, desc);
        let pipes = pipes(world, place).map(|call| quote!(#cfg const _: () = #call;));
        quote!(#cfg const _: () = #call; #(#pipes)*)
    });
    quote!(#(#checks)*)
}

/// Checks the systems of parts that the world does not include: if one lacks something, the message
/// names the parts.
fn includes(world: &World) -> TokenStream {
    let ecs = &world.ecs;
    let places: Vec<(TokenStream, &Place)> = places(world).collect();
    let mut seen = HashSet::new();
    let messages = places.iter().filter_map(|(_, place)| Some((place, place.lacks.as_ref()?)));
    let checks = messages.filter(|(_, message)| seen.insert(*message)).map(|(first, message)| {
        let same = places.iter().filter(|(_, place)| place.lacks.as_ref() == Some(message));
        let fits = same.map(|(cfg, place)| {
            let fits = constant_at(world, place, "FITS");
            quote!(#cfg #fits,)
        });
        let ends = Ends::of(&first.system);
        let check = at(quote!(#ecs::__private::check_includes), ends.first);
        let arguments = ends.group(Delimiter::Parenthesis, quote!(&[#(#fits)*], #message));
        quote!(const _: () = #check #arguments;)
    });
    quote!(#(#checks)*)
}

/// The checks of the systems before and behind each `|`.
fn pipes<'a>(world: &'a World, place: &'a Place) -> impl Iterator<Item = TokenStream> + 'a {
    let ecs = &world.ecs;
    (1..=place.piped.len()).map(move |systems| {
        let desc = constant_at(world, &place.until(systems), "DESC");
        let (first, last) = (Ends::of(&place.system).first, Ends::of(&place.piped[systems - 1]).last);
        let (check, ends) = (at(quote!(#ecs::__private::check_pipe), first), Ends { first, last });
        let arguments = ends.group(Delimiter::Parenthesis, desc);
        quote!(#check #arguments)
    })
}

/// Checks that each observer has a parameter that names its trigger.
fn observers(world: &World) -> TokenStream {
    let (ecs, ident) = (&world.ecs, &world.ident);
    let observers = world.schedules.iter().filter(|schedule| schedule.observes);
    let checks = observers
        .flat_map(Schedule::steps)
        .filter(|step| step.gate == 0 && !is_schedule(world, &step.place))
        .map(|step| {
            let Place { system, spelled, cfg, .. } = &step.place;
            let desc = constant_at(world, &step.place, "DESC");
            let call = Ends::of(system).call(ecs, &["check_observer"], ident, quote!(#spelled, #desc));
            quote!(#(#cfg)* const _: () = #call;)
        });
    quote!(#(#checks)*)
}

/// Checks that each event is sent and read, unless it is `external`. An event of included parts
/// needs only one of both: its library sends it for worlds that read it, or reads it from worlds
/// that send it.
fn events(world: &World) -> TokenStream {
    let (ecs, ident) = (&world.ecs, &world.ident);
    if world.lacks_steps {
        return TokenStream::new();
    }
    let checks = world.events.iter().filter(|entry| !entry.event.is_external() && entry.included.is_none());
    let checks = checks.map(|entry| {
        let (cfg, index) = (entry.cfg(), entry.index);
        let call = Ends::of(&entry.ty).call(ecs, &["check_event"], ident, quote!(#index, PLACES));
        // a system that is not one of the world has no parameters, and may be the reader or the
        // sender
        let mut conditions: Vec<TokenStream> = places(world)
            .filter(|(_, place)| is_placed(place))
            .map(|(cfg, place)| {
                let fits = constant_at(world, place, "FITS");
                quote!(#cfg #fits,)
            })
            .collect();
        // a message about the missing system that sends the event is enough
        conditions.extend(senders(world, entry).map(|(cfg, sender)| {
            let (ty, index) = (&sender.ty, sender.index);
            quote!(#cfg !#ecs::__private::lacks_step(<#ecs::__private::StepsOf<#ty>>::STEPS, #index, true, false, PLACES),)
        }));
        match conditions.is_empty() {
            true => quote!(#cfg const _: () = #call;),
            false => quote! {
                #cfg
                const _: () = {
                    #[allow(unused_imports)]
                    use #ecs::__private::NoSteps as _;
                    if #ecs::__private::all(&[#(#conditions)*]) { #call }
                };
            },
        }
    });
    quote!(#(#checks)*)
}

/// The resources whose system sends the event: each `Delayed` of it.
fn senders<'w>(world: &'w World, event: &Entry) -> impl Iterator<Item = (TokenStream, &'w Entry)> {
    let event = source(&event.ty);
    let own = world.resources.iter().filter(|entry| !entry.event.is_external() && entry.included.is_none());
    own.filter(move |entry| {
        named(&entry.ty).is_some_and(|(name, arguments)| {
            name == "Delayed" && arguments.first().is_some_and(|first| source(first) == event)
        })
    })
    .map(|entry| (entry.cfg(), entry))
}

/// The descriptions of the systems at all places, for the checks that compare them; nothing if no
/// check does.
fn descriptions(world: &World) -> TokenStream {
    let (ecs, ident) = (&world.ecs, &world.ident);
    let descriptions = places(world).map(|(cfg, place)| {
        let desc = constant_at(world, place, "DESC");
        quote!(#cfg #desc,)
    });
    quote!(const PLACES: &[#ecs::__private::SystemDesc<#ident>] = &[#(#descriptions)*];)
}

/// Checks that a schedule names the system of the library that brings an entry forward, such as
/// `transition` for a state. Entries are found by the names of their types; the library's types
/// alone have such a system.
fn steps(world: &World) -> TokenStream {
    let ecs = &world.ecs;
    let is_own = |entry: &&Entry| !entry.event.is_external() && entry.included.is_none();
    let resources = world.resources.iter().filter(is_own).map(|entry| (entry, true));
    let entries = resources.chain(world.components.iter().filter(is_own).map(|entry| (entry, false)));
    let checks: Vec<TokenStream> = entries
        .filter_map(|(entry, is_resource)| {
            let is_event = |ty: &str| world.events.iter().any(|event| source(&event.ty) == ty);
            let step = step_of(&entry.ty, is_resource, is_event)?;
            let (ty, title, cfg) = (entry.spelled(), world.title(), entry.cfg());
            let behind = match step.split_once("compute_state::<") {
                Some((_, state)) => format!(" behind a system that returns `Option<{state}`, `choose | {step}`"),
                None => String::new(),
            };
            let message = format!(
                "{title} lists `{ty}`, and no schedule names `{step}`; write it in a schedule{behind}, or list `{ty}(external)` if \
                 code outside of the schedules calls it"
            );
            let (ends, listed, index) = (Ends::of(&entry.ty), &entry.ty, entry.index);
            let check = at(quote!(#ecs::__private::check_steps), ends.first);
            let steps = quote!(<#ecs::__private::StepsOf<#listed>>::STEPS);
            let by_commands = step.starts_with("apply_due");
            let arguments = ends.group(Delimiter::Parenthesis, quote!(#steps, #index, #is_resource, #by_commands, PLACES, #message));
            Some(quote!(#cfg const _: () = #check #arguments;))
        })
        .collect();
    if checks.is_empty() || world.lacks_steps {
        return TokenStream::new();
    }
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #ecs::__private::NoSteps as _;
            #(#checks)*
        };
    }
}

/// A system that stands in a schedule twice, once by an alias, causes two impls of one trait. Each
/// impl has the span of the user's path, so that the compiler underlines the second path.
fn repetition(world: &World, schedule: &Schedule) -> TokenStream {
    let ecs = &world.ecs;
    let marker = &schedule.ident;
    let cfg = crate::cfg::of(&schedule.attributes);
    let mut seen = HashSet::new();
    let impls = schedule
        .steps()
        .filter(|step| !is_schedule(world, &step.place))
        .filter(|step| step.gate == 0 && step.place.label.is_none() && step.place.is_plain())
        .filter(|step| seen.insert(source(&step.place.system)))
        .map(|step| {
            let (system, cfg, ends) = (&step.place.system, &step.place.cfg, Ends::of(&step.place.system));
            let (ecs, mut marker) = (ecs.at(ends.first), marker.clone());
            marker.set_span(ends.first);
            let body = ends.group(Delimiter::Brace, TokenStream::new());
            quote_spanned!(ends.first=> #(#cfg)* impl #ecs::__private::Once<#marker> for #system #body)
        });
    quote! {
        #(#cfg)*
        const _: () = {
            struct #marker;
            #(#impls)*
        };
    }
}
