//! The body of `run`: parameters are made, the function is called once or for every entity, states are finished.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::stateful;
use crate::expand::tuple::nest;
use crate::model::parameter::{Element, Kind, Parameter, Tree};
use crate::model::system::System;

pub(super) fn body(system: &System) -> TokenStream {
    let (states, made) = (states(system), made(system));
    let call = if system.is_per_entity() { per_entity(system) } else { once(system) };
    let finished = finished(system);
    quote! {
        #states
        #made
        let __out = #call;
        #finished
        __out
    }
}

fn state(index: usize) -> Ident {
    format_ident!("__s{index}")
}

fn value(index: usize) -> Ident {
    format_ident!("__p{index}")
}

/// The parameters that have a state, with their places.
fn others(system: &System) -> impl Iterator<Item = (usize, &Parameter)> {
    system.parameters.iter().enumerate().filter(|(_, parameter)| matches!(parameter.kind, Kind::Other))
}

fn states(system: &System) -> TokenStream {
    let (ecs, world, types) = (&system.ecs, system.world(), stateful(system));
    if types.is_empty() {
        return TokenStream::new();
    }
    let names = others(system).map(|(index, _)| state(index));
    quote! {
        let (#(#names,)*) = __state.get_mut::<(#(<#types as #ecs::SystemParam<#world>>::State,)*)>();
    }
}

/// The values of all parameters but rows.
fn made(system: &System) -> TokenStream {
    let (ecs, world) = (&system.ecs, system.world());
    let made = system.parameters.iter().enumerate().filter_map(|(index, parameter)| {
        let (ty, state, value) = (&parameter.ty, state(index), value(index));
        let made = match &parameter.kind {
            Kind::Element(_) | Kind::Filter => return None,
            Kind::Query { data, filter } => {
                let data = columns(system, data, &format_ident!("QueryData"));
                let filter = columns(system, filter, &format_ident!("QueryFilter"));
                quote!(#ecs::__private::query(__world, #data, #filter))
            }
            Kind::World | Kind::SharedWorld => quote!(__world.world_mut()),
            Kind::Other => quote!(<#ty as #ecs::SystemParam<#world>>::get(__world, &mut *#state)),
        };
        Some(quote!(let mut #value = unsafe { #made };))
    });
    quote!(#(#made)*)
}

/// The columns of a query's data or filter, in tuples as the query's own.
fn columns(system: &System, tree: &Tree, of_trait: &Ident) -> TokenStream {
    let (ecs, world) = (&system.ecs, system.world());
    match tree {
        Tree::Leaf(ty) => quote!(<#ty as #ecs::#of_trait<#world>>::columns(__world)),
        Tree::Tuple(elements) => {
            let elements = elements.iter().map(|element| columns(system, element, of_trait));
            quote!((#(#elements,)*))
        }
    }
}

fn once(system: &System) -> TokenStream {
    let function = system.function();
    let values = (0..system.parameters.len()).map(value);
    quote!(#function(#(#values),*))
}

fn per_entity(system: &System) -> TokenStream {
    let (ecs, world, function) = (&system.ecs, system.world(), system.function());
    let (mut data, mut data_columns, mut items) = (Vec::new(), Vec::new(), Vec::new());
    let (mut filters, mut filter_columns) = (Vec::new(), Vec::new());
    for (index, parameter) in system.parameters.iter().enumerate() {
        let (ty, item) = (&parameter.ty, value(index));
        match &parameter.kind {
            Kind::Element(element) => {
                let ty = if let Element::Each(query) = element { query } else { ty };
                data.push(quote!(#ty));
                data_columns.push(quote!(<#ty as #ecs::QueryData<#world>>::columns(__world)));
                items.push(quote!(#item));
            }
            Kind::Filter => {
                filters.push(quote!(#ty));
                filter_columns.push(quote!(<#ty as #ecs::QueryFilter<#world>>::columns(__world)));
            }
            _ => {}
        }
    }
    if data.is_empty() {
        data.push(quote!(#ecs::Entity));
        data_columns.push(quote!(<#ecs::Entity as #ecs::QueryData<#world>>::columns(__world)));
        items.push(quote!(_));
    }
    let (data, data_columns, items) = (nest(&data), nest(&data_columns), nest(&items));
    let (filters, filter_columns) = (nest(&filters), nest(&filter_columns));
    let values =
        system.parameters.iter().enumerate().map(|(index, parameter)| lent(system, index, parameter));
    quote! {
        unsafe { #ecs::__private::query::<#world, #data, #filters>(__world, #data_columns, #filter_columns) }
            .for_each(|#items| #function(#(#values),*))
    }
}

/// A parameter of the call for one entity.
fn lent(system: &System, index: usize, parameter: &Parameter) -> TokenStream {
    let (ecs, world, ty, value) = (&system.ecs, system.world(), &parameter.ty, value(index));
    match &parameter.kind {
        Kind::Element(Element::Plain) => quote!(#value),
        Kind::Element(Element::Each(_)) => quote!(#ecs::Each(#value)),
        Kind::Filter => quote!(#ecs::__private::filter::<#ty>()),
        Kind::Query { .. } => quote!(#value.reborrow()),
        Kind::World | Kind::SharedWorld => quote!(&mut *#value),
        Kind::Other => quote!(<#ty as #ecs::SystemParam<#world>>::lend(&mut #value)),
    }
}

fn finished(system: &System) -> TokenStream {
    let (ecs, world) = (&system.ecs, system.world());
    let finished = others(system).map(|(index, parameter)| {
        let (ty, state) = (&parameter.ty, state(index));
        quote!(unsafe { <#ty as #ecs::SystemParam<#world>>::finish(__world, #state) };)
    });
    quote!(#(#finished)*)
}
