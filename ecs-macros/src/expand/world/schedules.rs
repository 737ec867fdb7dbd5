//! A method for each schedule, and the first states of its places.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Attribute;

use crate::cfg;
use crate::model::schedule::{Condition, Place, Schedule, Step};
use crate::model::world::World;
use crate::span::{Ends, item_of};

/// For each schedule the list of the functions that make the states of its places.
pub(super) fn places(world: &World) -> TokenStream {
    let World { ecs, ident, .. } = world;
    let schedules = world.schedules.iter().map(|schedule| {
        let places = schedule.places().into_iter().map(|place| {
            let made = item_of(&place.system, ecs, "System", &quote!(#ident), "init");
            cfg::element(&place.cfg, &made, &quote!(|_| #ecs::__private::PlaceState::new(())))
        });
        cfg::element(&schedule.attributes, &quote!(&[#(#places)*]), &quote!(&[]))
    });
    quote!(#(#schedules)*)
}

pub(super) fn methods(world: &World) -> TokenStream {
    let methods = world.schedules.iter().enumerate().map(|(index, schedule)| method(world, index, schedule));
    quote!(#(#methods)*)
}

fn method(world: &World, index: usize, schedule: &Schedule) -> TokenStream {
    let World { ecs, visibility, .. } = world;
    let Schedule { attributes, ident, stages } = schedule;
    let (name, doc) = (schedule.name(), doc(schedule));
    let stages = stages.iter().map(|stage| {
        let steps = stage.iter().map(|step| of_step(world, step));
        quote!(#(#steps)*)
    });
    quote! {
        #doc
        #(#attributes)*
        #[allow(unused_variables, unused_mut, unused_qualifications, clippy::all, clippy::pedantic)]
        #visibility fn #ident(&mut self) {
            let mut __run = #ecs::__private::ScheduleRun::new(self, #index, #name);
            #(#stages)*
        }
    }
}

/// The user's own documentation, or else a sentence with the systems.
fn doc(schedule: &Schedule) -> Option<TokenStream> {
    let is_doc = |attribute: &Attribute| attribute.path().is_ident("doc");
    let doc = schedule.doc();
    (!schedule.attributes.iter().any(is_doc)).then(|| quote!(#[doc = #doc]))
}

fn of_step(world: &World, step: &Step) -> TokenStream {
    let (run, cfg) = (run(world, &step.place), &step.place.cfg);
    match &step.condition {
        Some(condition) => {
            let condition = of_condition(world, condition);
            quote!(#(#cfg)* if #condition { #run; })
        }
        None => quote!(#(#cfg)* { #run; }),
    }
}

fn of_condition(world: &World, condition: &Condition) -> TokenStream {
    match condition {
        Condition::Place(place) => answer(world, place),
        Condition::Not(inner) => {
            let inner = of_condition(world, inner);
            quote!(!#inner)
        }
        Condition::And(left, right) => {
            let (left, right) = (of_condition(world, left), of_condition(world, right));
            quote!((#left && #right))
        }
        Condition::Or(left, right) => {
            let (left, right) = (of_condition(world, left), of_condition(world, right));
            quote!((#left || #right))
        }
    }
}

/// The call that runs what stands at a place.
fn run(world: &World, place: &Place) -> TokenStream {
    let (ecs, ident) = (&world.ecs, world.ident.to_token_stream());
    let (index, system) = (place.index, item_of(&place.system, ecs, "System", &ident, "RUNNABLE"));
    quote!(__run.system(#index, #system))
}

/// The answer of a condition; it lies over the user's path, for one that is no `bool`.
fn answer(world: &World, place: &Place) -> TokenStream {
    let run = run(world, place);
    let answer = Ident::new("__answer", Ends::of(&place.system).last);
    quote!({ let #answer = #run; #answer })
}
