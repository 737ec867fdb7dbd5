//! A plan and a method for each schedule.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Attribute;

use crate::cfg;
use crate::expand::docs;
use crate::model::schedule::{Condition, Place, Schedule, Step};
use crate::model::world::World;
use crate::span::{Ends, at, item_of};

/// The plan of each schedule, which the library computes from its nodes. The plans are constants in a function's body, which
/// `cargo check` does not evaluate: conflicts between systems are not errors.
pub(super) fn plans(world: &World) -> TokenStream {
    let World { ecs, .. } = world;
    let plans = world.schedules.iter().enumerate().map(|(index, schedule)| {
        let plan = plan(world, index, schedule);
        let hole = quote!(&#ecs::__private::Plan::new("", #index, &[], ::core::option::Option::None, []));
        cfg::element(&schedule.attributes, &plan, &hole)
    });
    quote! {
        #[inline]
        fn __schedules() -> #ecs::__private::ErasedPlans<Self> {
            #ecs::__private::erase_plans(const { &[#(#plans)*] })
        }
    }
}

fn plan(world: &World, index: usize, schedule: &Schedule) -> TokenStream {
    let ecs = &world.ecs;
    let name = schedule.name();
    let stages = schedule.stages.iter().map(|stage| {
        let react = optional(stage.react.as_ref());
        quote!(#ecs::__private::Stage { react: #react },)
    });
    let every = optional(schedule.every.as_ref().map(|clock| {
        let (ends, mut ident) = (Ends::of(clock), world.ident.clone());
        // an error about a missing resource underlines the clock
        ident.set_span(ident.span().located_at(ends.first));
        ends.path(ecs, "every", &quote!(#ident, #clock))
    }));
    let nodes =
        schedule.stages.iter().enumerate().flat_map(|(stage, steps)| {
            steps.steps.iter().map(move |step| node(world, schedule, stage, step))
        });
    quote!(&#ecs::__private::Plan::new(#name, #index, &[#(#stages)*], #every, [#(#nodes)*]))
}

fn node(world: &World, schedule: &Schedule, stage: usize, step: &Step) -> TokenStream {
    let ecs = &world.ecs;
    let (cfg, system) = (&step.place.cfg, runnable(world, &step.place));
    let (name, first) = (&step.place.spelled, Ends::of(&step.place.system).first);
    if step.condition.is_none() && !schedule.fails {
        let ecs = ecs.at(first);
        let node = quote_spanned!(first=> #ecs::__private::node);
        return quote!(#(#cfg)* #node(#stage, #name, #system),);
    }
    let (asked, condition) = match &step.condition {
        Some(condition) => {
            let mut places = Vec::new();
            condition.places(&mut places);
            let asked = places.iter().map(|place| {
                let system = runnable(world, place);
                let name = &place.spelled;
                let new = at(quote!(#ecs::__private::ConditionSystem::new), Ends::of(&place.system).first);
                quote!(#new(#name, #system),)
            });
            (quote!(const { &[#(#asked)*] }), of_condition(world, condition, &mut 0))
        }
        None => (quote!(&[]), quote!(#ecs::__private::Condition::Always)),
    };
    let fails = schedule.fails;
    // an error about the return type underlines the user's path
    let new = at(quote!(#ecs::__private::Node::new::<#fails, _>), first);
    quote!(#(#cfg)* #new(#stage, #name, #system, #asked, &#condition),)
}

/// The condition, with its systems numbered from left to right.
fn of_condition(world: &World, condition: &Condition, next: &mut usize) -> TokenStream {
    let ecs = &world.ecs;
    let mut two = |name: TokenStream, left: &Condition, right: &Condition| {
        let (left, right) = (of_condition(world, left, next), of_condition(world, right, next));
        quote!(#ecs::__private::Condition::#name(&#left, &#right))
    };
    match condition {
        Condition::Place(_) => {
            let number = *next;
            *next += 1;
            quote!(#ecs::__private::Condition::Ask(#number))
        }
        Condition::Not(inner) => {
            let inner = of_condition(world, inner, next);
            quote!(#ecs::__private::Condition::Not(&#inner))
        }
        Condition::And(left, right) => two(quote!(And), left, right),
        Condition::Or(left, right) => two(quote!(Or), left, right),
    }
}

/// The system or the nested schedule at a place, as a value.
fn runnable(world: &World, place: &Place) -> TokenStream {
    let (ecs, ident) = (&world.ecs, &world.ident);
    match Schedule::named_by(&place.system, &world.name(), &world.schedules) {
        Some((index, schedule)) => {
            let fails = schedule.fails;
            let nested = at(quote!(#ecs::__private::Nested::<#index, #fails>), Ends::of(&place.system).first);
            item_of(&nested, ecs, "System", ident, "RUNNABLE")
        }
        None => item_of(&place.system, ecs, "System", ident, "RUNNABLE"),
    }
}

fn optional(tokens: Option<impl ToTokens>) -> TokenStream {
    match tokens {
        Some(tokens) => quote!(::core::option::Option::Some(#tokens)),
        None => quote!(::core::option::Option::None),
    }
}

pub(super) fn methods(world: &World) -> TokenStream {
    let methods = world.schedules.iter().enumerate().map(|(index, schedule)| method(world, index, schedule));
    quote!(#(#methods)*)
}

fn method(world: &World, index: usize, schedule: &Schedule) -> TokenStream {
    let World { ecs, visibility, .. } = world;
    let Schedule { attributes, .. } = schedule;
    let ident = schedule.method();
    let (doc, stages) = (doc(schedule), docs::of_schedule(world, schedule));
    let (output, run) = if schedule.fails {
        let output = quote!(-> ::core::result::Result<(), #ecs::__private::SystemError>);
        (output, quote!(#ecs::__private::try_schedule::<Self, #index>(self)))
    } else {
        (quote!(), quote!(#ecs::__private::schedule::<Self, #index>(self);))
    };
    quote! {
        #doc
        #(#attributes)*
        #stages
        #visibility fn #ident(&mut self) #output {
            #run
        }
    }
}

/// The user's documentation, or a sentence that lists the systems.
fn doc(schedule: &Schedule) -> Option<TokenStream> {
    let is_doc = |attribute: &Attribute| attribute.path().is_ident("doc");
    let doc = schedule.doc();
    (!schedule.attributes.iter().any(is_doc)).then(|| quote!(#[doc = #doc]))
}
