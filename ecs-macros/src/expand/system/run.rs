//! The bodies of `run`, where parameters are made and the function is called once or for every entity, and of
//! `FINISH`, where each parameter does what is left to do.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Type, parse_quote};

use super::bounds::mentions;
use crate::built_in::BuiltIn;
use crate::expand::tuple::{LONGEST, nest};
use crate::lifetimes;
use crate::model::parameter::{Element, Kind, Parameter, Tree};
use crate::model::system::System;
use crate::span::{Ends, call_of, local};

/// One `unsafe` block, so that every expression in it can lie over the user's type. It calls the user's function, too:
/// that this needs no `unsafe` by itself is made sure before, by making a safe function pointer of it; or it is handed
/// over as it is, which only a safe function can be.
pub(super) fn body(system: &System) -> TokenStream {
    if is_spread(system) {
        let each = each(system, "each_with_tuple", system.function());
        return quote!(unsafe { #each });
    }
    let states = states(system);
    let call = if system.is_per_entity() { per_entity(system) } else { once(system) };
    let (function, types) = (system.function(), system.parameters.iter().map(|_| quote!(_)));
    quote! {
        let _ = #function as fn(#(#types),*) -> _;
        unsafe {
            #states
            #call
        }
    }
}

pub(super) fn state(index: usize) -> Ident {
    format_ident!("__s{index}")
}

fn value(index: usize) -> Ident {
    format_ident!("__p{index}")
}

/// The parameters that have a state, with their places.
pub(super) fn others(system: &System) -> impl Iterator<Item = (usize, &Parameter)> {
    system.parameters.iter().enumerate().filter(|(_, parameter)| matches!(parameter.kind, Kind::Other))
}

/// The states; their types follow from what they are given to.
fn states(system: &System) -> TokenStream {
    let Some((names, unknown)) = names_of_states(system) else { return TokenStream::new() };
    quote! {
        let #names = __state.get_mut::<#unknown>();
    }
}

/// The states' names and as many unknown types, each as a tuple; nothing if there are no states.
fn names_of_states(system: &System) -> Option<(TokenStream, TokenStream)> {
    let names: Vec<TokenStream> = others(system).map(|(index, _)| state(index).into_token_stream()).collect();
    let unknown = vec![quote!(_); names.len()];
    (!names.is_empty()).then(|| (nest(&names), nest(&unknown)))
}

/// `&mut *(state)`. The state's type is as unknown as the parameter's, so it, too, lies over the user's type: what is wrong with
/// that is said once.
fn reborrowed(index: usize, parameter: &Parameter) -> TokenStream {
    let ends = Ends::of(&parameter.ty);
    let state = local(&state(index).to_string(), ends.last);
    let state = ends.group(Delimiter::Parenthesis, quote!(#state));
    quote_spanned!(ends.first=> &mut *#state)
}

/// The value of a parameter that is not a row.
fn made(system: &System, index: usize, parameter: &Parameter) -> Option<TokenStream> {
    let (ecs, world) = (&system.ecs, system.world());
    match &parameter.kind {
        Kind::Element(_) | Kind::Target(_) | Kind::Filter => None,
        Kind::Query { data, filter } => {
            // the types are those of the tokens whose accesses were checked, not whatever the function takes
            let (of_data, of_filter) = (data.ty(), filter.ty());
            let types = quote!(#world, #of_data, #of_filter);
            let data = columns(system, data, "QueryData");
            let filter = columns(system, filter, "QueryFilter");
            let arguments = quote!(__world, #data, #filter);
            Some(Ends::of(&parameter.ty).call(ecs, &["query"], types, arguments))
        }
        Kind::World | Kind::SharedWorld => Some(quote!(__world.world_mut())),
        Kind::Other => {
            let state = reborrowed(index, parameter);
            let arguments = quote!(__world, #state);
            Some(call_of(&parameter.ty, ecs, "SystemParam", &world, "get", arguments))
        }
    }
}

/// The columns of a query's data or filter, in tuples as the query's own.
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

fn once(system: &System) -> TokenStream {
    let function = system.function();
    let values = system.parameters.iter().enumerate().filter_map(|(index, one)| made(system, index, one));
    quote!(#function(#(#values),*))
}

fn per_entity(system: &System) -> TokenStream {
    let (ecs, world, function) = (&system.ecs, system.world(), system.function());
    let made = system.parameters.iter().enumerate().filter_map(|(index, parameter)| {
        let (value, made) = (value(index), made(system, index, parameter)?);
        let mutable = system.par.is_none().then(|| quote!(mut));
        let made = match parameter.kind {
            Kind::Other if system.par.is_some() => quote!(#ecs::__private::SharedParamItem::new(#made)),
            _ => made,
        };
        Some(quote!(let #mutable #value = #made;))
    });
    let values = system.parameters.iter().enumerate().map(|(index, one)| lent(system, index, one));
    let call = quote!(#function(#(#values),*));
    if let Some(target) = system.target() {
        let item = system.parameters.iter().position(Parameter::is_row).map(value);
        let driven =
            call_of(target, ecs, "MutTarget", &quote!(#world, _), "drive", quote!(__world, |#item| #call));
        return quote!({ #(#made)* #driven });
    }
    let name = if system.par.is_some() { "par_each" } else { "each" };
    let items = nest(&Row::of(system).items);
    let each = each(system, name, quote!(|#items| #call));
    quote!({ #(#made)* #each })
}

/// The loop, which is given what to call.
fn each(system: &System, name: &str, call: impl ToTokens) -> TokenStream {
    let (ecs, world, row) = (&system.ecs, system.world(), Row::of(system));
    let (data, data_columns) = (nest(&row.data), nest(&row.data_columns));
    let (filters, filter_columns) = (nest(&row.filters), nest(&row.filter_columns));
    let columns = match system.par {
        Some(_) => quote!(#data_columns, #filter_columns),
        None => quote!(move || (#data_columns, #filter_columns)),
    };
    let each = Ident::new(name, Span::call_site());
    quote!(#ecs::__private::#each::<#world, #data, #filters>(__world, #columns, #call))
}

/// Whether the function takes the elements of the query, in order, and nothing else: the compiler is spared a closure then.
/// It takes them for any lifetime, since it names none.
pub(super) fn is_spread(system: &System) -> bool {
    let named = |parameter: &Parameter| !lifetimes::in_type(&parameter.ty).is_empty();
    let is_plain =
        |parameter: &Parameter| matches!(parameter.kind, Kind::Element(Element::Plain)) && !named(parameter);
    system.par.is_none()
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
fn lent(system: &System, index: usize, parameter: &Parameter) -> TokenStream {
    let (ecs, world, ty, value) = (&system.ecs, system.world(), &parameter.ty, value(index));
    match &parameter.kind {
        Kind::Element(Element::Plain) | Kind::Target(_) => quote!(#value),
        Kind::Element(Element::Each(_)) => quote!(#ecs::Each(#value)),
        Kind::Filter => quote!(#ecs::__private::filter::<#ty>()),
        Kind::Query { .. } if system.par.is_some() => {
            call_of(ty, ecs, "SharedParam", &world, "share", quote!(&#value))
        }
        Kind::Other if system.par.is_some() => {
            call_of(ty, ecs, "SharedParam", &world, "share", quote!(#value.get()))
        }
        Kind::Query { .. } => quote!(#value.reborrow()),
        Kind::World | Kind::SharedWorld => quote!(&mut *#value),
        Kind::Other => call_of(ty, ecs, "SystemParam", &world, "lend", quote!(&mut #value)),
    }
}

/// `FINISH`: the work of the parameters after each run and when the place is closed; `None` if no parameter has any.
pub(super) fn finish(system: &System) -> Option<TokenStream> {
    let (ecs, world) = (&system.ecs, system.world());
    let finishes = others(system).any(|(_, parameter)| may_finish(parameter));
    if !finishes && !others(system).any(|(_, parameter)| is_reader(parameter)) {
        return None;
    }
    let (names, unknown) = names_of_states(system)?;
    // all of them, since the types of the states follow from what they are given to
    let finished = others(system).map(|(index, parameter)| {
        let (ty, state) = (&parameter.ty, reborrowed(index, parameter));
        let arguments = quote!(__world, #state, __phase);
        let finish = call_of(ty, ecs, "SystemParam", &world, "finish", arguments);
        quote!(#finish;)
    });
    // readers only have work when the place is closed, which does not look at `FINISHES`
    let finishes = finishes.then(|| {
        quote!(
            const FINISHES: ::core::primitive::bool = true;
        )
    });
    Some(quote! {
        #finishes
        const FINISH: #ecs::__private::Finish<#world> = |__world, __state, __phase| {
            let ::core::option::Option::Some(#names) = __state.find_mut::<#unknown>() else { return };
            unsafe {
                #(#finished)*
            }
        };
    })
}

/// Whether some parameter has news to react to, if one may have.
pub(super) fn news(system: &System) -> Option<TokenStream> {
    let may_have = |parameter: &Parameter| {
        BuiltIn::named(&parameter.ty).is_none_or(|(built_in, _)| built_in.may_have_news)
    };
    let (ecs, world) = (&system.ecs, system.world());
    let mut asked = Vec::new();
    let mut states = None;
    if others(system).any(|(_, parameter)| may_have(parameter)) {
        let (names, unknown) = names_of_states(system)?;
        states = Some(quote! {
            let ::core::option::Option::Some(#names) = __state.find_mut::<#unknown>() else { return false };
        });
        // all of them, since the types of the states follow from what they are given to
        asked.extend(others(system).map(|(index, parameter)| {
            let (ty, state) = (&parameter.ty, reborrowed(index, parameter));
            call_of(ty, ecs, "SystemParam", &world, "has_news", quote!(__world, #state))
        }));
    }
    for parameter in system.parameters.iter().filter(|parameter| asks_when(&parameter.ty)) {
        if let Kind::Query { data, filter } = &parameter.kind {
            let (data_columns, filter_columns) =
                (columns(system, data, "QueryData"), columns(system, filter, "QueryFilter"));
            let (data, filter) = (data.ty(), filter.ty());
            asked.push(quote! {
                #ecs::__private::any::<#world, #data, #filter>(__world, #data_columns, #filter_columns)
            });
        }
    }
    if system.parameters.iter().any(|parameter| parameter.is_row() && asks_when(&parameter.ty)) {
        let row = Row::of(system);
        let (data, data_columns) = (nest(&row.data), nest(&row.data_columns));
        let (filters, filter_columns) = (nest(&row.filters), nest(&row.filter_columns));
        asked.push(quote! {
            #ecs::__private::any::<#world, #data, #filters>(__world, #data_columns, #filter_columns)
        });
    }
    (!asked.is_empty()).then(|| {
        quote! {
            const HAS_NEWS: #ecs::__private::HasNews<#world> = |__world, __state| {
                #states
                unsafe { false #(|| #asked)* }
            };
        }
    })
}

/// Whether a type names a filter that asks when something changed.
fn asks_when(ty: &Type) -> bool {
    mentions(ty.to_token_stream(), &["Changed".to_owned(), "Added".to_owned()])
}

/// Whether a parameter may have work to do after each run. A type without a row in the table may have some.
fn may_finish(parameter: &Parameter) -> bool {
    BuiltIn::named(&parameter.ty).is_none_or(|(built_in, _)| built_in.may_finish)
}

fn is_reader(parameter: &Parameter) -> bool {
    BuiltIn::named(&parameter.ty).is_some_and(|(built_in, _)| built_in.reads_log)
}
