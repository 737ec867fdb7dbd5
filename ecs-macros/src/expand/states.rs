//! The impl of `States` for an enum, and a module with a type for each variant.
//!
//! The module has the types only. The impls, which name the enum, stand beside it, so that the
//! derive also works in a function's body, whose items no path reaches from a module.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{VisRestricted, Visibility, parse_quote};

use crate::model::states::States;
use crate::names::{allow, text};

pub(crate) fn expand(states: &States) -> TokenStream {
    if !states.is_complete() {
        return TokenStream::new();
    }
    let (module, of_enum, of_variants, allow) =
        (module(states), of_enum(states), of_variants(states), allow());
    quote! {
        #module
        #allow
        const _: () = {
            #of_enum
            #of_variants
        };
    }
}

fn module(states: &States) -> TokenStream {
    let (visibility, allow) = (&states.visibility, allow());
    let (name, inner) = (&states.module, inside_module(visibility));
    let enum_name = states.subject.name();
    let about = format!(
        "The states of [`{enum_name}`], as types: for conditions and transitions that are checked by the compiler."
    );
    let variants = states.variants.iter().map(|state| {
        let ident = &state.ident;
        let about = format!("The state `{}` of `{enum_name}`.", text(ident));
        quote! {
            #[doc = #about]
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
            #inner struct #ident {}
        }
    });
    quote! {
        #[doc = #about]
        #allow
        #visibility mod #name {
            #(#variants)*
        }
    }
}

fn of_enum(states: &States) -> TokenStream {
    let States { ecs, subject, variants, within, .. } = states;
    let plain: Vec<_> = states.plain().map(|state| &state.ident).collect();
    let name = subject.name();
    let resource = match within {
        Some(_) => quote!(#ecs::state::SubState<Self>),
        None => quote!(#ecs::state::State<Self>),
    };
    let first = plain.first();
    let sub_states = within.as_ref().map(|parent| {
        quote! {
            impl #ecs::state::SubStates for #subject {
                type Parent = #parent;
                const FIRST: Self = Self::#first;
            }
        }
    });
    let names = variants.iter().map(|state| {
        let (ident, name) = (&state.ident, text(&state.ident));
        quote!(Self::#ident { .. } => #name,)
    });
    let indexes = variants.iter().enumerate().map(|(index, state)| {
        let ident = &state.ident;
        quote!(Self::#ident { .. } => #index,)
    });
    let transitions = variants.iter().map(|state| {
        let (ident, targets) = (&state.ident, states.targets(state).into_iter().map(|target| &target.ident));
        quote!(Self::#ident { .. } => const { &[#(Self::#targets),*] },)
    });
    quote! {
        impl #ecs::state::States for #subject {
            type Resource = #resource;
            const STATES_NAME: &'static ::core::primitive::str = #name;
            const ALL: &'static [Self] = &[#(Self::#plain),*];
            fn index(&self) -> ::core::primitive::usize {
                match self { #(#indexes)* }
            }
            fn state_name(&self) -> &'static ::core::primitive::str {
                match self { #(#names)* }
            }
            fn transitions(&self) -> &'static [Self] {
                match self { #(#transitions)* }
            }
        }
        #sub_states
    }
}

fn of_variants(states: &States) -> TokenStream {
    let States { ecs, subject, variants, module, .. } = states;
    let impls = variants.iter().filter_map(|state| {
        let ident = &state.ident;
        // a state with fields, which was reported, has no value
        let value = if state.fields.is_some() { states.plain().next()? } else { state };
        let value = &value.ident;
        let targets = states.targets(state).into_iter().map(|target| &target.ident);
        Some(quote! {
            impl #ecs::state::StateVariant for #module::#ident {
                type States = #subject;
                const VALUE: #subject = #subject::#value;
            }
            #(impl #ecs::state::CanChangeTo<#module::#targets, #subject> for #module::#ident {})*
        })
    });
    quote!(#(#impls)*)
}

/// The visibility of the enum, as an item of a module beside it writes it.
fn inside_module(visibility: &Visibility) -> Visibility {
    match visibility {
        Visibility::Public(_) => visibility.clone(),
        Visibility::Inherited => parse_quote!(pub(super)),
        Visibility::Restricted(VisRestricted { path, .. }) => {
            let first = path.segments.first().map(|segment| text(&segment.ident));
            match first.as_deref() {
                Some("crate") => visibility.clone(),
                // rustc refuses it
                _ if path.leading_colon.is_some() => visibility.clone(),
                Some("self") => parse_quote!(pub(super)),
                _ => parse_quote!(pub(in super::#path)),
            }
        }
    }
}
