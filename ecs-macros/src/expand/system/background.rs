//! A system with `background`: at its place the library begins runs and takes over their output,
//! and the function is called with a copy of the world.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Generics;

use super::{desc, run};
use crate::model::parameter::Parameter;
use crate::model::system::System;
use crate::parse::system::Background;
use crate::span::{Ends, call_of, item_of};

/// The impls of `System`, for the place in a schedule, and of `BackgroundSystem`, for the function.
pub(super) fn of_system(
    system: &System,
    background: &Background,
    generics: &Generics,
    has_params: bool,
) -> TokenStream {
    let ecs = &system.ecs;
    let (parameters, _, clause) = generics.split_for_impl();
    let (world, ty, output) = (system.world(), system.ty(), system.output());
    let delay = match background.ticks {
        Some(ticks) => quote!(::core::option::Option::Some(#ticks)),
        None => quote!(::core::option::Option::None),
    };
    let ends = Ends::of(&output);
    let library = ecs.at(ends.first);
    let at_place = quote_spanned!(ends.last=> <#output as #library::__private::BackgroundOutput>::AtPlace);
    let code = item_of(&world.to_token_stream(), ecs, "BackgroundWorld", &TokenStream::new(), "CODE");
    let (desc, states) = desc(system, generics, has_params);
    let (call, outputs, join) = (run::call_in_background(system), outputs(system), join(system));
    quote! {
        #states
        #[doc(hidden)]
        unsafe impl #parameters #ecs::System<#world> for #ty #clause {
            const DESC: #ecs::__private::SystemDesc<#world> =
                #ecs::__private::desc_at_place::<#world, Self>(const {
                    &[#ecs::__private::param_at_place(&<Self as #ecs::__private::BackgroundSystem<#world>>::FUNCTION)]
                });
            type Out = #at_place;
            unsafe fn run(
                __world: #ecs::__private::WorldCell<'_, #world>,
                __state: &mut #ecs::__private::SystemState,
            ) -> Self::Out {
                unsafe { #ecs::__private::run_background::<#world, Self>(__world, __state) }
            }
        }
        #[doc(hidden)]
        unsafe impl #parameters #ecs::__private::BackgroundSystem<#world> for #ty #clause {
            const WORLD: #ecs::__private::WorldCode<#world> = #code;
            const DELAY: ::core::option::Option<::core::primitive::u32> = #delay;
            const FUNCTION: #ecs::__private::SystemDesc<#world> = #desc;
            type Returned = #output;
            #[allow(unused_variables)]
            unsafe fn outputs(
                __world: #ecs::__private::WorldCell<'_, #world>,
                __state: &mut #ecs::__private::SystemState,
            ) -> #ecs::__private::Vec<#ecs::__private::SharedOutput> {
                #outputs
            }
            #[allow(unused_variables, unused_mut)]
            unsafe fn call(
                __world: #ecs::__private::WorldCell<'_, #world>,
                __state: &mut #ecs::__private::SystemState,
                __outputs: &mut [#ecs::__private::SharedOutput],
            ) -> Self::Returned {
                #call
            }
            #[allow(unused_variables)]
            unsafe fn join(
                __world: #ecs::__private::WorldCell<'_, #world>,
                __state: &mut #ecs::__private::SystemState,
                __outputs: &mut [#ecs::__private::SharedOutput],
            ) {
                #join
            }
        }
    }
}

/// The parameter in the world itself, one at a time, so that no two of them clash.
fn item(system: &System, index: usize, parameter: &Parameter) -> TokenStream {
    let constructed = run::constructed(system, index, parameter);
    quote!(let mut __item = #constructed;)
}

/// The body of `outputs`.
fn outputs(system: &System) -> TokenStream {
    let (ecs, world, states) = (&system.ecs, system.world(), run::states(system));
    let outputs = run::others(system).map(|(index, parameter)| {
        let item = item(system, index, parameter);
        let output = call_of(&parameter.ty, ecs, "BackgroundParam", &world, "output", quote!(&__item));
        quote!({ #[allow(unused_mut)] #item #output })
    });
    quote! {
        #states
        unsafe { #ecs::__private::vec![#(#outputs),*] }
    }
}

/// The body of `join`.
fn join(system: &System) -> TokenStream {
    let (ecs, world, states) = (&system.ecs, system.world(), run::states(system));
    let names: Vec<TokenStream> =
        run::others(system).map(|(index, _)| run::output(index).into_token_stream()).collect();
    if names.is_empty() {
        return TokenStream::new();
    }
    let joined = run::others(system).map(|(index, parameter)| {
        let (item, output) = (item(system, index, parameter), run::output(index));
        let join =
            call_of(&parameter.ty, ecs, "BackgroundParam", &world, "join", quote!(&mut __item, #output));
        quote!({ #item #join; })
    });
    quote! {
        #states
        let [#(#names),*] = __outputs else { return };
        unsafe { #(#joined)* }
    }
}
