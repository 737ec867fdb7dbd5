//! The impl of `States` for an enum, and a module with a type for each variant.
//!
//! The module has the types only. The impls, which name the enum, stand beside it, so that the
//! derive also works in a function's body, whose items no path reaches from a module.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{VisRestricted, Visibility, parse_quote};

use crate::model::states::States;
use crate::names::{allow, text};
use crate::parse::states::Targets;

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
    let States { ecs, subject, variants, within, computed, .. } = states;
    let plain: Vec<_> = states.plain().map(|state| &state.ident).collect();
    let name = subject.name();
    let resource = match (within, computed) {
        (_, Some(_)) => quote!(#ecs::state::ComputedState<Self>),
        (Some(_), None) => quote!(#ecs::state::SubState<Self>),
        (None, None) => quote!(#ecs::state::State<Self>),
    };
    let computed_states = computed.as_ref().map(|_| quote!(impl #ecs::state::ComputedStates for #subject {}));
    let (first, with_data) = (plain.first(), with_data(states));
    let within = within.as_ref().filter(|_| computed.is_none() && first.is_some());
    let sub_states = within.map(|parent| {
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
        let targets = states.targets(state).into_iter().filter(|target| target.fields.is_none());
        let (ident, targets) = (&state.ident, targets.map(|target| &target.ident));
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
            #with_data
        }
        #computed_states
        #sub_states
    }
}

/// The functions of an enum with data that look at it: they compare the fields, and find a
/// transition by the variant.
fn with_data(states: &States) -> Option<TokenStream> {
    if !states.has_data() {
        return None;
    }
    let ecs = &states.ecs;
    let listed = states.variants.iter().map(|state| {
        let ident = &state.ident;
        match (&state.targets, &state.fields) {
            // all others, which the same variant with other data is, too
            (Targets::Others, Some(_)) => {
                quote!(Self::#ident { .. } => !#ecs::state::States::is_same(self, to),)
            }
            _ => {
                let targets = states.targets(state).into_iter().map(|target| &target.ident);
                quote!(Self::#ident { .. } => false #(|| ::core::matches!(to, Self::#targets { .. }))*,)
            }
        }
    });
    let same = states.variants.iter().filter(|state| state.fields.is_some()).map(|state| {
        let (ident, members) = (&state.ident, state.members().collect::<Vec<_>>());
        let names = |side: &str| -> Vec<Ident> {
            (0..members.len()).map(|at| format_ident!("{side}_{at}")).collect()
        };
        let (left, right) = (names("left"), names("right"));
        quote! {
            (Self::#ident { #(#members: #left),* }, Self::#ident { #(#members: #right),* }) => {
                true #(&& *#left == *#right)*
            }
        }
    });
    // unreachable if there is one variant
    let other = (states.variants.len() > 1)
        .then(|| quote!(_ => #ecs::state::States::index(self) == #ecs::state::States::index(other),));
    Some(quote! {
        fn allows(&self, to: &Self) -> ::core::primitive::bool {
            match self { #(#listed)* }
        }
        fn is_same(&self, other: &Self) -> ::core::primitive::bool {
            match (self, other) {
                #(#same)*
                #other
            }
        }
    })
}

fn of_variants(states: &States) -> TokenStream {
    let States { ecs, subject, variants, module, .. } = states;
    let impls = variants.iter().enumerate().map(|(index, state)| {
        let ident = &state.ident;
        let value = state.fields.is_none().then(|| {
            quote! {
                impl #ecs::state::StateValue for #module::#ident {
                    const VALUE: #subject = #subject::#ident;
                }
            }
        });
        let targets = states.targets(state).into_iter().map(|target| &target.ident);
        quote! {
            impl #ecs::state::StateVariant for #module::#ident {
                type States = #subject;
                const INDEX: ::core::primitive::usize = #index;
            }
            #value
            #(impl #ecs::state::CanChangeTo<#module::#targets, #subject> for #module::#ident {})*
        }
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
