//! What each parameter touches, as constants, and the checks of them that underline the parameter's type.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::model::parameter::{Element, Kind, Parameter, Tree};
use crate::model::system::System;
use crate::span::Ends;

/// A `ParamInfo` for every parameter.
pub(super) fn params(system: &System) -> Vec<TokenStream> {
    system.parameters.iter().map(|parameter| param(system, parameter)).collect()
}

fn param(system: &System, parameter: &Parameter) -> TokenStream {
    let ecs = &system.ecs;
    let (name, access) = (&parameter.name, access(system, parameter));
    let kind = format_ident!(
        "{}",
        match parameter.kind {
            Kind::Element(_) => "Element",
            Kind::Filter => "Filter",
            Kind::Query { .. } => "Query",
            Kind::World | Kind::SharedWorld => "World",
            Kind::Other => "Other",
        }
    );
    quote!(#ecs::ParamInfo { name: #name, kind: #ecs::ParamKind::#kind, access: #access })
}

fn access(system: &System, parameter: &Parameter) -> TokenStream {
    let (ecs, world, ty) = (&system.ecs, system.world(), &parameter.ty);
    match &parameter.kind {
        Kind::Element(Element::Plain) => quote!(<#ty as #ecs::QueryData<#world>>::ACCESS),
        Kind::Element(Element::Each(query)) => quote!(<#query as #ecs::QueryData<#world>>::ACCESS),
        Kind::Filter => quote!(<#ty as #ecs::QueryFilter<#world>>::ACCESS),
        Kind::Query { data, filter } => of_query(system, data, filter),
        Kind::World | Kind::SharedWorld => quote!(#ecs::Access::EXCLUSIVE),
        Kind::Other => quote!(<#ty as #ecs::SystemParam<#world>>::ACCESS),
    }
}

/// Element by element, so that each is named to the compiler in the user's own tokens.
fn of_query(system: &System, data: &Tree, filter: &Tree) -> TokenStream {
    let (ecs, world) = (&system.ecs, system.world());
    let (data, filters) = (data.leaves(), filter.leaves());
    quote! {
        #ecs::Access::NONE
            #(.and(<#data as #ecs::QueryData<#world>>::ACCESS))*
            #(.and(<#filters as #ecs::QueryFilter<#world>>::ACCESS))*
    }
}

/// A free constant for every parameter: `cargo check` evaluates these, and only these.
pub(super) fn checks(system: &System) -> TokenStream {
    if !system.is_concrete() {
        return TokenStream::new();
    }
    let (ecs, world, ty, name) = (&system.ecs, system.world(), system.ty(), system.name());
    let checks = system.parameters.iter().enumerate().map(|(index, parameter)| {
        let call = Ends::of(&parameter.node.ty).call(
            quote!(#ecs::__private::check_param::<#world>),
            quote!(#name, <#ty as #ecs::System<#world>>::PARAMS, #index),
        );
        quote!(const _: () = #call;)
    });
    quote!(#(#checks)*)
}
