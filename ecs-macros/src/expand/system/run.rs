//! The body of `run`, which makes the parameters and calls the function once or for every entity,
//! and those of `finish`, which lets each parameter finish its work, and of `has_news`.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Type, parse_quote};

use super::bounds::mentions;
use super::skip;
use crate::built_in::{BuiltIn, Flag};
use crate::expand::tuple::{LONGEST, nest};
use crate::lifetimes;
use crate::model::parameter::{Element, Form, Kind, Parameter, Tree};
use crate::model::system::System;
use crate::span::{Ends, call_of, local};

/// One `unsafe` block for all of the body, so that every expression in it can have the span of the
/// user's type. The block also calls the user's function, which must be safe: the body either
/// coerces it to a safe function pointer first, or passes it to a function that takes safe
/// functions only.
pub(super) fn body(system: &System) -> TokenStream {
    if is_spread(system) {
        let each = each(system, "each_with_tuple", system.function());
        return quote!(unsafe { #each });
    }
    let (states, inputs, skip) = (states(system), inputs(system), skip::body(system));
    let call = if system.is_per_entity() { per_entity(system) } else { once(system) };
    let (function, types) = (system.function(), system.shapes.iter().map(|_| quote!(_)));
    quote! {
        let _ = #function as fn(#(#types),*) -> _;
        #inputs
        unsafe {
            #states
            #skip
            #call
        }
    }
}

pub(super) fn state(index: usize) -> Ident {
    format_ident!("__s{index}")
}

pub(super) fn value(index: usize) -> Ident {
    format_ident!("__p{index}")
}

/// The parameters that have a state, with their indices.
pub(super) fn others(system: &System) -> impl Iterator<Item = (usize, &Parameter)> {
    system.parameters.iter().enumerate().filter(|(_, parameter)| matches!(parameter.kind, Kind::Other))
}

/// Binds the states. Their types are inferred from their uses.
pub(super) fn states(system: &System) -> TokenStream {
    let Some((names, unknown)) = names_of_states(system) else { return TokenStream::new() };
    quote! {
        let #names = __state.get_mut::<#unknown>();
    }
}

/// The variables of the inputs, whose tuple is `__input`.
fn inputs(system: &System) -> Option<TokenStream> {
    let names: Vec<Ident> = system
        .parameters
        .iter()
        .enumerate()
        .filter(|(_, parameter)| matches!(parameter.kind, Kind::Input(_)))
        .map(|(index, _)| value(index))
        .collect();
    (!names.is_empty()).then(|| quote!(let (#(#names),*) = __input;))
}

/// A tuple of the states' names and a tuple of as many `_`; `None` without states.
fn names_of_states(system: &System) -> Option<(TokenStream, TokenStream)> {
    let names: Vec<TokenStream> = others(system).map(|(index, _)| state(index).into_token_stream()).collect();
    let unknown = vec![quote!(_); names.len()];
    (!names.is_empty()).then(|| (nest(&names), nest(&unknown)))
}

/// `&mut *(state)`. It has the span of the user's type, like the parameter, so that the compiler
/// reports a mistake in the type once.
pub(super) fn reborrowed(index: usize, parameter: &Parameter) -> TokenStream {
    let ends = Ends::of(&parameter.ty);
    let state = local(&state(index).to_string(), ends.last);
    let state = ends.group(Delimiter::Parenthesis, quote!(#state));
    quote_spanned!(ends.first=> &mut *#state)
}

/// The value of a parameter that is not a row.
pub(super) fn constructed(system: &System, index: usize, parameter: &Parameter) -> Option<TokenStream> {
    let (ecs, world) = (&system.ecs, system.world());
    match &parameter.kind {
        Kind::Element(_) | Kind::Target(_) | Kind::Filter => None,
        Kind::Query { data, filter, form: Form::Query } => {
            Some(of_query(system, index, data, filter, "query"))
        }
        // bound by `skip::body`
        Kind::Query { .. } => Some(value(index).into_token_stream()),
        Kind::World | Kind::SharedWorld => Some(quote!(__world.world_mut())),
        Kind::Input(_) => {
            let value = value(index);
            // a per-entity system makes an `In` for each entity
            Some(if system.is_per_entity() { quote!(#value) } else { quote!(#ecs::In(#value)) })
        }
        Kind::Other => {
            let state = reborrowed(index, parameter);
            let arguments = quote!(__world, #state);
            Some(call_of(&parameter.ty, ecs, "SystemParam", &world, "get", arguments))
        }
    }
}

/// A call of the library's function that makes a query, or a parameter that is made of one.
pub(super) fn of_query(
    system: &System,
    index: usize,
    data: &Tree,
    filter: &Tree,
    constructor: &str,
) -> TokenStream {
    let (ecs, world) = (&system.ecs, system.world());
    // the types come from the tokens whose accesses were checked, not from inference by the
    // function's signature
    let (of_data, of_filter) = (data.ty(), filter.ty());
    let passed_over = passed_over(system, Some(index));
    let types = quote!(#world, #of_data, #of_filter, #passed_over);
    let data = columns(system, data, "QueryData");
    let filter = columns(system, filter, "QueryFilter");
    let arguments = quote!(__world, #data, #filter);
    Ends::of(&system.parameters[index].ty).call(ecs, &[constructor], types, arguments)
}

/// The columns of a query's data or filter, in the same tuples as its types.
fn columns(system: &System, tree: &Tree, of_trait: &str) -> TokenStream {
    let (ecs, world) = (&system.ecs, system.world());
    match tree {
        Tree::Leaf(ty) => call_of(ty, ecs, of_trait, &world, "columns", quote!(__world)),
        Tree::Tuple(elements) => {
            let elements = elements.iter().map(|element| columns(system, element, of_trait));
            quote!((#(#elements,)*))
        }
    }
}

/// The body of `BackgroundSystem::call`, which calls the function with a copy of the world.
pub(super) fn call_in_background(system: &System) -> TokenStream {
    let (states, function) = (states(system), system.function());
    let types = system.parameters.iter().map(|_| quote!(_));
    let constructed = system.parameters.iter().enumerate().filter_map(|(index, parameter)| {
        let (value, constructed) = (value(index), constructed(system, index, parameter)?);
        Some(quote!(let mut #value = #constructed;))
    });
    let outputs: Vec<Ident> = others(system).map(|(index, _)| output(index)).collect();
    let outputs = (!outputs.is_empty()).then(|| {
        quote! {
            let [#(#outputs),*] = __outputs else { ::core::panic!("the outputs were made by the same system") };
        }
    });
    let values = system.parameters.iter().enumerate().map(|(index, one)| argument(system, index, one));
    let mut call = quote!(#function(#(#values),*));
    if system.is_per_entity() {
        let items = nest(&Row::of(system).items);
        call = each(system, "each_that_reads", quote!(|#items| #call));
    }
    quote! {
        let _ = #function as fn(#(#types),*) -> _;
        unsafe {
            #states
            #outputs
            #(#constructed)*
            #call
        }
    }
}

fn once(system: &System) -> TokenStream {
    let function = system.function();
    let values =
        system.parameters.iter().enumerate().filter_map(|(index, one)| constructed(system, index, one));
    let values = system.call_arguments(values);
    quote!(#function(#(#values),*))
}

fn per_entity(system: &System) -> TokenStream {
    let (ecs, world, function) = (&system.ecs, system.world(), system.function());
    let constructed = system.parameters.iter().enumerate().filter_map(|(index, parameter)| {
        if matches!(parameter.kind, Kind::Input(_)) {
            return None;
        }
        let (value, constructed) = (value(index), constructed(system, index, parameter)?);
        let mutable = (system.par.is_none() || matches!(parameter.kind, Kind::Other)).then(|| quote!(mut));
        let constructed = match parameter.kind {
            Kind::Other if system.par.is_some() => {
                quote!(#ecs::__private::SharedParamItem::new(#constructed))
            }
            _ => constructed,
        };
        Some(quote!(let #mutable #value = #constructed;))
    });
    let values = system.parameters.iter().enumerate().map(|(index, one)| argument(system, index, one));
    let values = system.call_arguments(values);
    let call = quote!(#function(#(#values),*));
    if let Some(target) = system.target() {
        let item = system.parameters.iter().position(Parameter::is_row).map(value);
        let driven =
            call_of(target, ecs, "MutTarget", &quote!(#world, _), "drive", quote!(__world, |#item| #call));
        return quote!({ #(#constructed)* #driven });
    }
    let items = nest(&Row::of(system).items);
    if system.par.is_none() {
        let each = each(system, "each", quote!(|#items| #call));
        return quote!({ #(#constructed)* #each });
    }
    let names: Vec<TokenStream> =
        others(system).map(|(index, _)| output(index).into_token_stream()).collect();
    let outputs = nest(&names);
    let new: Vec<TokenStream> = others(system)
        .map(|(_, parameter)| call_of(&parameter.ty, ecs, "SharedParam", &world, "output", quote!()))
        .collect();
    let new = nest(&new);
    let each = each(system, "par_each", quote!(|| #new, |#items, #outputs| #call));
    let joined = joined(system);
    quote!({
        #(#constructed)*
        let mut __outputs = #each;
        #(#joined)*
    })
}

/// The variable for the output of a parameter.
pub(super) fn output(index: usize) -> Ident {
    format_ident!("__o{index}")
}

/// The statements that join the outputs of a system that is marked `par`: all of one parameter
/// before those of the next, so that a panic in one of them leaves the same for any division of the
/// entities.
fn joined(system: &System) -> Vec<TokenStream> {
    let (ecs, world) = (&system.ecs, system.world());
    let join = |(index, parameter): (usize, &Parameter)| {
        let (value, output) = (value(index), output(index));
        let names: Vec<TokenStream> = others(system)
            .map(|(other, _)| if other == index { output.to_token_stream() } else { quote!(_) })
            .collect();
        let names = nest(&names);
        let arguments = quote!(#value.get_mut(), #output);
        let join = call_of(&parameter.ty, ecs, "SharedParam", &world, "join", arguments);
        quote!(for #names in &mut __outputs { #join; })
    };
    others(system).map(join).collect()
}

/// The call of the loop, with the function or closure to call for each entity.
fn each(system: &System, name: &str, call: impl ToTokens) -> TokenStream {
    let (ecs, world, row) = (&system.ecs, system.world(), Row::of(system));
    let (data, data_columns) = (nest(&row.data), nest(&row.data_columns));
    let (filters, filter_columns) = (nest(&row.filters), nest(&row.filter_columns));
    let columns = match system.par {
        Some(_) => quote!(#data_columns, #filter_columns),
        None => quote!(move || (#data_columns, #filter_columns)),
    };
    let each = Ident::new(name, Span::call_site());
    let passed_over = passed_over(system, None);
    let output = system.par.as_ref().map(|_| quote!(, _));
    quote!(#ecs::__private::#each::<#world, #data, #filters, #passed_over #output>(__world, #columns, #call))
}

/// The list of the columns for which the query of a parameter, or else the per-entity query, passes
/// over entities.
fn passed_over(system: &System, parameter: Option<usize>) -> TokenStream {
    let (ecs, world) = (&system.ecs, system.world());
    let this = match system.inputs().is_empty() {
        true => quote!(Self),
        false => quote!(#ecs::__private::Unfed<Self>),
    };
    match parameter {
        Some(index) => quote!(#ecs::__private::PassedOverByParam<#world, #this, #index>),
        None => quote!(#ecs::__private::PassedOverByRow<#world, #this>),
    }
}

/// Whether the function takes exactly the elements of the query, in order, and names no lifetime.
/// It is then passed to the loop itself, which spares the compiler a closure.
pub(super) fn is_spread(system: &System) -> bool {
    let named = |parameter: &Parameter| !lifetimes::in_type(&parameter.ty).is_empty();
    let is_plain =
        |parameter: &Parameter| matches!(parameter.kind, Kind::Element(Element::Plain)) && !named(parameter);
    system.par.is_none()
        && !system.has_tuple()
        && system.signature.generics.params.is_empty()
        && (1..=LONGEST).contains(&system.parameters.len())
        && system.parameters.iter().all(is_plain)
}

/// The query of a per-entity system.
#[derive(Default)]
struct Row {
    data: Vec<TokenStream>,
    data_columns: Vec<TokenStream>,
    /// The variables that hold the items.
    items: Vec<TokenStream>,
    filters: Vec<TokenStream>,
    filter_columns: Vec<TokenStream>,
}

impl Row {
    fn of(system: &System) -> Self {
        let (ecs, world, mut row) = (&system.ecs, system.world(), Self::default());
        let columns = |ty: &Type, of_trait| call_of(ty, ecs, of_trait, &world, "columns", quote!(__world));
        for (index, parameter) in system.parameters.iter().enumerate() {
            let ty = match &parameter.kind {
                Kind::Element(Element::Each(query)) => query,
                _ => &parameter.ty,
            };
            if matches!(parameter.kind, Kind::Element(_)) {
                row.data.push(quote!(#ty));
                row.data_columns.push(columns(ty, "QueryData"));
                row.items.push(value(index).into_token_stream());
            } else if matches!(parameter.kind, Kind::Filter) {
                row.filters.push(quote!(#ty));
                row.filter_columns.push(columns(ty, "QueryFilter"));
            }
        }
        if row.data.is_empty() {
            row.data.push(quote!(#ecs::Entity));
            row.data_columns.push(columns(&parse_quote!(#ecs::Entity), "QueryData"));
            row.items.push(quote!(_));
        }
        row
    }
}

/// A parameter of the call for one entity.
fn argument(system: &System, index: usize, parameter: &Parameter) -> TokenStream {
    let (ecs, world, ty, value) = (&system.ecs, system.world(), &parameter.ty, value(index));
    match &parameter.kind {
        Kind::Element(Element::Plain) | Kind::Target(_) => quote!(#value),
        Kind::Element(Element::Each(_)) => quote!(#ecs::Each(#value)),
        Kind::Filter => quote!(#ecs::__private::filter::<#ty>()),
        Kind::Query { .. } if system.background.is_some() => {
            let arguments = quote!(&mut #value, &mut #ecs::__private::SharedOutput::NONE);
            call_of(ty, ecs, "BackgroundParam", &world, "share", arguments)
        }
        Kind::Other if system.background.is_some() => {
            let output = output(index);
            call_of(ty, ecs, "BackgroundParam", &world, "share", quote!(&mut #value, #output))
        }
        Kind::Query { .. } if system.par.is_some() => call_of(
            ty,
            ecs,
            "SharedParam",
            &world,
            "share",
            quote!(&#value, &mut #ecs::__private::SharedOutput::NONE),
        ),
        Kind::Other if system.par.is_some() => {
            let output = output(index);
            call_of(ty, ecs, "SharedParam", &world, "share", quote!(#value.get(), #output))
        }
        Kind::Query { form: Form::OptionalSingle, .. } => {
            quote!(#value.as_mut().map(|__single| __single.reborrow()))
        }
        Kind::Query { .. } => quote!(#value.reborrow()),
        Kind::World | Kind::SharedWorld => quote!(&mut *#value),
        Kind::Input(input) => {
            let call = Ends::of(ty).call(ecs, &["each_input"], quote!(#input), quote!(&#value));
            quote!(#call)
        }
        Kind::Other => call_of(ty, ecs, "SystemParam", &world, "lend", quote!(&mut #value)),
    }
}

/// Whether a parameter may have work after each run.
pub(super) fn finishes(system: &System) -> bool {
    others(system).any(|(_, parameter)| may_finish(parameter))
}

/// `finish`: the work of the parameters after each run and when the place is closed; `None` if no
/// parameter has any.
pub(super) fn finish(system: &System) -> Option<TokenStream> {
    let (ecs, world) = (&system.ecs, system.world());
    if !finishes(system) && !others(system).any(|(_, parameter)| is_reader(parameter)) {
        return None;
    }
    let (names, unknown) = names_of_states(system)?;
    // for all parameters, since the types of the states are inferred from their uses
    let finished = others(system).map(|(index, parameter)| {
        let (ty, state) = (&parameter.ty, reborrowed(index, parameter));
        let arguments = quote!(__world, #state, __phase);
        let finish = call_of(ty, ecs, "SystemParam", &world, "finish", arguments);
        quote!(#finish;)
    });
    Some(quote! {
        unsafe fn finish(
            __world: #ecs::__private::WorldCell<'_, #world>,
            __state: &mut #ecs::__private::SystemState,
            __phase: &mut #ecs::__private::SystemPhase<'_, #world>,
        ) {
            let ::core::option::Option::Some(#names) = __state.find_mut::<#unknown>() else { return };
            unsafe {
                #(#finished)*
            }
        }
    })
}

/// `has_news`: whether a parameter has something to react to. `None` if no parameter can have.
pub(super) fn news(system: &System) -> Option<TokenStream> {
    let may_have = |parameter: &Parameter| {
        BuiltIn::named(&parameter.ty).is_none_or(|(built_in, _)| !built_in.is(Flag::NoNews))
    };
    let (ecs, world) = (&system.ecs, system.world());
    let mut terms = Vec::new();
    let mut states = None;
    if others(system).any(|(_, parameter)| may_have(parameter)) {
        let (names, unknown) = names_of_states(system)?;
        states = Some(quote! {
            let ::core::option::Option::Some(#names) = __state.find_mut::<#unknown>() else { return false };
        });
        // for all parameters, since the types of the states are inferred from their uses
        terms.extend(others(system).map(|(index, parameter)| {
            let (ty, state) = (&parameter.ty, reborrowed(index, parameter));
            call_of(ty, ecs, "SystemParam", &world, "has_news", quote!(__world, #state))
        }));
    }
    let parameters = system.parameters.iter().enumerate();
    for (index, parameter) in parameters.filter(|(_, parameter)| filters_ticks(&parameter.ty)) {
        if let Kind::Query { data, filter, .. } = &parameter.kind {
            let (data_columns, filter_columns) =
                (columns(system, data, "QueryData"), columns(system, filter, "QueryFilter"));
            let (data, filter) = (data.ty(), filter.ty());
            let passed_over = passed_over(system, Some(index));
            terms.push(quote! {
                #ecs::__private::any::<#world, #data, #filter, #passed_over>(
                    __world, #data_columns, #filter_columns
                )
            });
        }
    }
    if system.parameters.iter().any(|parameter| parameter.is_row() && filters_ticks(&parameter.ty)) {
        let row = Row::of(system);
        let (data, data_columns) = (nest(&row.data), nest(&row.data_columns));
        let (filters, filter_columns) = (nest(&row.filters), nest(&row.filter_columns));
        let passed_over = passed_over(system, None);
        terms.push(quote! {
            #ecs::__private::any::<#world, #data, #filters, #passed_over>(
                __world, #data_columns, #filter_columns
            )
        });
    }
    (!terms.is_empty()).then(|| {
        quote! {
            #[allow(unused_variables)]
            unsafe fn has_news(
                __world: #ecs::__private::WorldCell<'_, #world>,
                __state: &mut #ecs::__private::SystemState,
            ) -> ::core::primitive::bool {
                #states
                unsafe { false #(|| #terms)* }
            }
        }
    })
}

/// Whether a type names a filter on the ticks of changes.
fn filters_ticks(ty: &Type) -> bool {
    mentions(ty.to_token_stream(), &["Changed".to_owned(), "Added".to_owned()])
}

/// Whether a parameter may have work to do after each run. A type without a row in the table may
/// have some.
fn may_finish(parameter: &Parameter) -> bool {
    BuiltIn::named(&parameter.ty).is_none_or(|(built_in, _)| !built_in.is(Flag::NoFinish))
}

fn is_reader(parameter: &Parameter) -> bool {
    BuiltIn::named(&parameter.ty).is_some_and(|(built_in, _)| built_in.is(Flag::ReadsLog))
}
