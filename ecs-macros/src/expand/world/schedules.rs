//! A plan and a method for each schedule.

use proc_macro2::{Delimiter, Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Generics, parse_quote};

use crate::cfg;
use crate::expand::docs;
use crate::model::schedule::{Condition, Failing, Place, Schedule, Step};
use crate::model::world::World;
use crate::names::Ecs;
use crate::span::{Ends, at, item_of};

/// The plan of each schedule, which the library computes from its nodes. The plans are constants in
/// a function's body, which `cargo check` does not evaluate: conflicts between systems are not
/// errors.
pub(super) fn plans(world: &World) -> TokenStream {
    let World { ecs, .. } = world;
    let plans = world.schedules.iter().enumerate().map(|(index, schedule)| {
        let plan = plan(world, index, schedule);
        let hole = quote!(&#ecs::__private::Plan::new("", #index, &[], ::core::option::Option::None, &[]));
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
    let entries = quote!(const { &#ecs::__private::entries([#(#nodes)*]) });
    quote!(&#ecs::__private::Plan::new(#name, #index, &[#(#stages)*], #every, #entries))
}

fn node(world: &World, schedule: &Schedule, stage: usize, step: &Step) -> TokenStream {
    let ecs = &world.ecs;
    let (cfg, system) = (&step.place.cfg, runnable(world, &step.place));
    let (name, first) = (step.place.name(), Ends::of(&step.place.system).first);
    let within = (step.group > 0).then(|| {
        let group = step.group;
        quote!(.within(#group))
    });
    if step.condition.is_none() && schedule.failing == Failing::Never && !schedule.observes {
        let ecs = ecs.at(first);
        let node = quote_spanned!(first=> #ecs::__private::node);
        return quote!(#(#cfg)* #node(#stage, #name, #system)#within,);
    }
    let (asked, condition) = match &step.condition {
        Some(condition) => {
            let mut places = Vec::new();
            condition.places(&mut places);
            let asked = places.iter().map(|place| {
                let system = match is_placed(place) {
                    true => placed(world, place, "CONDITION"),
                    false => runnable(world, place),
                };
                let name = &place.spelled;
                let new = at(quote!(#ecs::__private::ConditionSystem::new), Ends::of(&place.system).first);
                quote!(#new(#name, #system),)
            });
            (quote!(const { &[#(#asked)*] }), of_condition(world, condition, &mut 0))
        }
        None => (quote!(&[]), quote!(#ecs::__private::Condition::Always)),
    };
    if step.gate > 0 {
        let gate = step.gate;
        return quote!(#(#cfg)* #ecs::__private::gate(#stage, #gate, #name, #asked, &#condition)#within,);
    }
    // an error about the return type underlines the user's path
    let new = match schedule.failing {
        _ if schedule.observes => quote!(#ecs::__private::Node::observer),
        Failing::Never => quote!(#ecs::__private::Node::new::<false, _>),
        Failing::Run => quote!(#ecs::__private::Node::new::<true, _>),
        Failing::System => quote!(#ecs::__private::Node::contained),
    };
    let new = at(new, first);
    quote!(#(#cfg)* #new(#stage, #name, #system, #asked, &#condition)#within,)
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
        _ if is_placed(place) => placed(world, place, "RUNNABLE"),
        _ if !place.is_plain() => item_at(world, place, "RUNNABLE"),
        Some((index, schedule)) => {
            let nested = match schedule.failing {
                Failing::System => quote!(#ecs::__private::NestedFailures::<#index>),
                failing => {
                    let fails = failing == Failing::Run;
                    quote!(#ecs::__private::Nested::<#index, #fails>)
                }
            };
            let nested = at(nested, Ends::of(&place.system).first);
            item_of(&nested, ecs, "System", ident, "RUNNABLE")
        }
        None => item_of(&place.system, ecs, "System", ident, "RUNNABLE"),
    }
}

/// `<system as System<World>>::item` for the system at a place.
fn item_at(world: &World, place: &Place, item: &str) -> TokenStream {
    let (ecs, ident) = (&world.ecs, &world.ident);
    if place.is_plain() {
        return item_of(&place.system, ecs, "System", ident, item);
    }
    let Called { items, ty } = called(ecs, place, "__Arguments", &Owner::World(ident));
    let item = item_of(&ty, ecs, "System", ident, item);
    quote!({ #items #item })
}

/// Whether another check than that of the system's type gives the message for a system that is not
/// one of the world: a check of the included parts, or the type of the arguments.
pub(super) fn is_placed(place: &Place) -> bool {
    place.lacks.is_some() || !place.arguments.is_empty() && place.piped.is_empty()
}

/// An item of the system at such a place, with its arguments.
fn placed(world: &World, place: &Place, item: &str) -> TokenStream {
    let (ecs, ident) = (&world.ecs, &world.ident);
    let Called { items, ty } = called(ecs, place, "__Arguments", &Owner::World(ident));
    let item = of_placed(ecs, place, &ty, ident, item);
    quote!({ #items #item })
}

/// An item of the type `system`. It exists for a system that is not one of the world, too.
fn of_placed(ecs: &Ecs, place: &Place, system: &TokenStream, world: &Ident, item: &str) -> TokenStream {
    let Ends { first, last } = Ends::of(&place.system);
    let (open, item) = (at(quote!(<#ecs::__private::PlacedSystem<), first), Ident::new(item, last));
    quote!({
        #[allow(unused_imports)]
        use #ecs::__private::UnfitSystem as _;
        #open #system, #world>>::#item
    })
}

/// `<system as System<World>>::item` for the system at a place, for an item that does not depend on
/// the values of arguments.
pub(super) fn constant_at(world: &World, place: &Place, item: &str) -> TokenStream {
    let (ecs, ident) = (&world.ecs, &world.ident);
    if place.arguments.is_empty() && !is_placed(place) {
        return item_of(&piped(ecs, place, place.system.to_token_stream()), ecs, "System", ident, item);
    }
    if place.arguments.is_empty() {
        return of_placed(ecs, place, &place.system.to_token_stream(), ident, item);
    }
    let Ends { first, last } = Ends::of(&place.system);
    let (path, open, close) =
        (&place.system, at(quote!(#ecs::__private::Unfed<), first), at(quote!(>), last));
    let unfed = quote!(#open #path #close);
    if is_placed(place) {
        return of_placed(ecs, place, &unfed, ident, item);
    }
    item_of(&piped(ecs, place, unfed), ecs, "System", ident, item)
}

/// A system with its arguments and the systems behind `|`, as a type.
pub(in crate::expand) struct Called {
    /// A type for the arguments of each call.
    pub(in crate::expand) items: TokenStream,
    pub(in crate::expand) ty: TokenStream,
}

/// The declaration in whose schedule a place is.
pub(in crate::expand) enum Owner<'a> {
    World(&'a Ident),
    /// Parts with these parameters: the world is a further one.
    Parts(&'a Generics),
}

/// The type of a place that is not plain. `name` is the name of the type for its arguments.
pub(in crate::expand) fn called(ecs: &Ecs, place: &Place, name: &str, owner: &Owner<'_>) -> Called {
    let path = &place.system;
    if place.arguments.is_empty() {
        return Called { items: TokenStream::new(), ty: piped(ecs, place, path.to_token_stream()) };
    }
    let given = format_ident!("{name}");
    let items = arguments(ecs, place, &given, owner);
    let given = match owner {
        Owner::World(_) => quote!(#given),
        Owner::Parts(generics) => {
            let (_, parameters, _) = generics.split_for_impl();
            quote!(#given #parameters)
        }
    };
    let Ends { first, last } = Ends::of(path);
    let (open, close) = (at(quote!(#ecs::__private::Called<), first), at(quote!(>), last));
    Called { items, ty: piped(ecs, place, quote!(#open #given #close)) }
}

/// The type `first` with the systems behind `|` of a place.
fn piped(ecs: &Ecs, place: &Place, first: TokenStream) -> TokenStream {
    let ends = Ends {
        first: Ends::of(&place.system).first,
        last: Ends::of(place.piped.last().unwrap_or(&place.system)).last,
    };
    place.piped.iter().fold(first, |ty, next| {
        let (open, close) = (at(quote!(#ecs::__private::Pipe<), ends.first), at(quote!(>), ends.last));
        quote!(#open #ty, #next #close)
    })
}

/// The type for the arguments of a place.
fn arguments(ecs: &Ecs, place: &Place, given: &Ident, owner: &Owner<'_>) -> TokenStream {
    let (path, values) = (&place.system, &place.arguments);
    // an error about an argument underlines the argument
    let values = match values.as_slice() {
        [value] => quote!(#value),
        _ => Ends::of(&quote!(#(#values),*)).group(Delimiter::Parenthesis, quote!(#(#values),*)).into(),
    };
    let ends = Ends::of(path);
    let (open, end) = (at(quote!(type System =), ends.first), at(quote!(;), ends.last));
    match owner {
        Owner::World(world) => {
            let input = item_of(path, ecs, "InputSystem", world, "In");
            // all at the path, so that the compiler merges its messages about a system without an
            // input
            let (named, constant) =
                (at(quote!(type In =), ends.first), at(quote!(const VALUES: Self::In =), ends.first));
            let values = ends.group(Delimiter::Brace, quote!(#values));
            quote! {
                struct #given {}
                impl #ecs::__private::Arguments<#world> for #given {
                    #open #path #end
                    #named #input #end
                    #constant #values #end
                }
            }
        }
        Owner::Parts(generics) => {
            let (_, parameters, clause) = generics.split_for_impl();
            let predicates = clause.map(|clause| &clause.predicates);
            let types = generics.type_params().map(|parameter| &parameter.ident);
            let mut declared: Generics = (*generics).clone();
            let (of_struct, ..) = declared.split_for_impl();
            let item = quote! {
                pub struct #given #of_struct (::core::marker::PhantomData<fn() -> (#(*const #types,)*)>) #clause;
            };
            declared.params.push(parse_quote!(__W: #ecs::World));
            let (of_impl, ..) = declared.split_for_impl();
            // the type of the input follows from the system alone, so that the values are checked
            // without a world
            let input = quote!(<#path as #ecs::__private::SystemInput>::In);
            quote! {
                #item
                impl #of_impl #ecs::__private::Arguments<__W> for #given #parameters
                where
                    #path: #ecs::__private::InputSystem<__W, In = #input>,
                    #predicates
                {
                    #open #path #end
                    type In = #input;
                    const VALUES: #input = #values;
                }
            }
        }
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
    let (output, run) = match schedule.failing {
        Failing::Never => (quote!(), quote!(#ecs::__private::schedule::<Self, #index>(self);)),
        Failing::Run => (
            quote!(-> ::core::result::Result<(), #ecs::__private::SystemError>),
            quote!(#ecs::__private::try_schedule::<Self, #index>(self)),
        ),
        Failing::System => (
            quote!(-> #ecs::schedule::Failures),
            quote!(#ecs::__private::contained_schedule::<Self, #index>(self)),
        ),
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
