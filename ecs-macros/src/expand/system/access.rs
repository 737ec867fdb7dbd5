//! Constants with the data that each parameter reads and writes, and their checks, which underline
//! the parameter's type.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Type;

use super::skip;
use crate::model::parameter::{Element, Kind, Parameter, Tree};
use crate::model::system::System;
use crate::span::{Ends, item_of};

/// A list with a `ParamInfo` for every parameter.
pub(super) fn params(system: &System) -> TokenStream {
    let params = system.parameters.iter().map(|parameter| param(system, parameter));
    quote!(&[#(#params),*])
}

fn param(system: &System, parameter: &Parameter) -> TokenStream {
    let ecs = &system.ecs;
    let (name, access) = (&parameter.name, access(system, parameter));
    let kind = match parameter.kind {
        Kind::Target(ref target) => target_kind(system, target),
        _ => kind(system, parameter),
    };
    quote!(#ecs::__private::ParamInfo { name: #name, kind: #kind, access: #access })
}

/// The constant that tells whether the `T` of `&mut T` is a component or a world.
pub(super) fn target_kind(system: &System, target: &Type) -> TokenStream {
    item_of(
        target,
        &system.ecs,
        "MutTarget",
        &{
            let world = system.world();
            quote!(#world, _)
        },
        "KIND",
    )
}

fn kind(system: &System, parameter: &Parameter) -> TokenStream {
    let ecs = &system.ecs;
    let kind = format_ident!(
        "{}",
        match parameter.kind {
            Kind::Element(_) | Kind::Target(_) => "RowData",
            Kind::Filter => "RowFilter",
            Kind::Query { .. } => "WholeQuery",
            Kind::World | Kind::SharedWorld => "WholeWorld",
            Kind::Other | Kind::Input(_) => "Other",
        }
    );
    quote!(#ecs::__private::ParamKind::#kind)
}

fn access(system: &System, parameter: &Parameter) -> TokenStream {
    let (ecs, world, ty) = (&system.ecs, system.world(), &parameter.ty);
    match &parameter.kind {
        Kind::Element(Element::Plain) => item_of(ty, ecs, "QueryData", &world, "ACCESS"),
        Kind::Element(Element::Each(query)) => item_of(query.as_ref(), ecs, "QueryData", &world, "ACCESS"),
        Kind::Target(target) => item_of(target.as_ref(), ecs, "MutTarget", &quote!(#world, _), "ACCESS"),
        Kind::Filter => item_of(ty, ecs, "QueryFilter", &world, "ACCESS"),
        Kind::Query { data, filter, .. } => of_query(system, data, filter),
        Kind::World | Kind::SharedWorld => quote!(#ecs::__private::Access::EXCLUSIVE),
        Kind::Input(_) => quote!(#ecs::__private::Access::NONE),
        Kind::Other => item_of(ty, ecs, "SystemParam", &world, "ACCESS"),
    }
}

/// The accesses of a query, element by element, so that a compile error underlines one element.
fn of_query(system: &System, data: &Tree, filter: &Tree) -> TokenStream {
    let (ecs, world) = (&system.ecs, system.world());
    let data = data.leaves().into_iter().map(|ty| item_of(ty, ecs, "QueryData", &world, "ACCESS"));
    let filters = filter.leaves().into_iter().map(|ty| item_of(ty, ecs, "QueryFilter", &world, "ACCESS"));
    quote!(#ecs::__private::Access::NONE #(.and(#data))* #(.and(#filters))*)
}

/// The constant with the parameters, if one of them needs a check, and a free constant for the
/// check of each parameter. `cargo check` evaluates free constants only.
///
/// The checks do not name the system: that would count as a use, and rustc would not warn about a
/// system that is never used.
pub(super) fn checks(system: &System) -> (Option<TokenStream>, TokenStream) {
    if !system.is_concrete() {
        return (None, TokenStream::new());
    }
    let (ecs, world, name) = (&system.ecs, system.world(), system.name());
    // the first reference cannot conflict with a parameter before it, and needs no check
    let passes = |(index, parameter): &(usize, &Parameter)| {
        *index == 0 && matches!(parameter.kind, Kind::Element(Element::Plain))
    };
    let parameters = system.parameters.iter().enumerate().filter(|one| !passes(one));
    let checks = parameters.map(|(index, parameter)| {
        let arguments = quote!(#name, __PARAMS, #index);
        Ends::of(&parameter.node.ty).call(ecs, &["check_param"], &world, arguments)
    });
    // the last check becomes the value of the surrounding constant, which saves one constant
    let mut checks: Vec<TokenStream> = checks.collect();
    let last = checks.pop();
    checks.extend(skip::checks(system));
    let params = last.is_some().then(|| {
        let params = params(system);
        quote!(const __PARAMS: &[#ecs::__private::ParamInfo] = #params;)
    });
    (params, quote!(#(const _: () = #checks;)* #last))
}
