//! The statements that return before a call of the function if a parameter skips the system, such
//! as `Single` without an entity.
//!
//! They stand before the other parameters are made, some of which note that the system runs.

use proc_macro2::TokenStream;
use quote::quote;

use super::run::{of_query, reborrowed, value};
use crate::built_in::BuiltIn;
use crate::model::parameter::{Kind, Parameter};
use crate::model::system::System;
use crate::span::{Ends, call_of, item_of};

/// The parameters that may skip the system by their trait: types that are not those of the library.
fn unknown(system: &System) -> impl Iterator<Item = (usize, &Parameter)> {
    system.parameters.iter().enumerate().filter(|(_, parameter)| {
        matches!(parameter.kind, Kind::Other) && BuiltIn::named(&parameter.ty).is_none()
    })
}

/// Whether the parameter can skip the system, as a constant.
fn may_skip(system: &System, parameter: &Parameter) -> TokenStream {
    item_of(&parameter.ty, &system.ecs, "SystemParam", &system.world(), "MAY_SKIP")
}

/// Checks that no parameter can skip a system that has nothing to return then.
pub(super) fn checks(system: &System) -> Vec<TokenStream> {
    if system.skipped_output().is_some() || system.is_per_entity() {
        return Vec::new();
    }
    let (ecs, world, name) = (&system.ecs, system.world(), system.name());
    let check = |(_, parameter): (usize, &Parameter)| {
        let (shown, may_skip) = (&parameter.name, may_skip(system, parameter));
        let arguments = quote!(#name, #shown, #may_skip);
        Ends::of(&parameter.ty).call(ecs, &["check_output"], &world, arguments)
    };
    unknown(system).map(check).collect()
}

/// The statements at the beginning of `run`.
pub(super) fn body(system: &System) -> TokenStream {
    let (ecs, world) = (&system.ecs, system.world());
    let Some(output) = system.skipped_output() else {
        // the checks of other systems are free constants
        let checks = checks(system).into_iter().filter(|_| !system.is_concrete());
        return quote!(#(const { #checks };)*);
    };
    let skip = quote!({
        __state.skip();
        return #output;
    });
    let queries = system.parameters.iter().enumerate().filter_map(|(index, parameter)| {
        let Kind::Query { data, filter, form } = &parameter.kind else { return None };
        let made = of_query(system, index, data, filter, form.constructor()?);
        let (value, mutable) = (value(index), system.par.is_none().then(|| quote!(mut)));
        Some(quote!(let ::core::option::Option::Some(#mutable #value) = #made else #skip;))
    });
    let others = unknown(system).map(|(index, parameter)| {
        let (may_skip, state) = (may_skip(system, parameter), reborrowed(index, parameter));
        let arguments = quote!(__world, #state);
        let ready = call_of(&parameter.ty, ecs, "SystemParam", &world, "is_ready", arguments);
        quote!(if #may_skip && !#ready #skip)
    });
    quote!(#(#queries)* #(#others)*)
}

/// Whether a parameter may skip the system; `None` if none can.
pub(super) fn may_skip_system(system: &System) -> Option<TokenStream> {
    let known = system.parameters.iter().any(Parameter::skips);
    let mut terms: Vec<TokenStream> = known.then(|| quote!(true)).into_iter().collect();
    if system.skipped_output().is_some() {
        terms.extend(unknown(system).map(|(_, parameter)| may_skip(system, parameter)));
    }
    (!terms.is_empty()).then(|| quote!(#(#terms)||*))
}
