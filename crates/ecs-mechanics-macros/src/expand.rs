//! The impls of a state machine, and a module with a type for each state.
//!
//! The module has the types only. The impls, which name the enum, stand beside it, so that the
//! derive also works in the body of a function, whose items no path reaches from a module.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Error, VisRestricted, Visibility, parse_quote};

use crate::check;
use crate::model::{Machine, State};
use crate::names::text;

pub(crate) fn state_machine(item: &DeriveInput) -> TokenStream {
    let mut errors = Vec::new();
    let machine = Machine::new(item, &mut errors);
    // an item with mistakes still gets its impls if they can be written, so that one mistake gives
    // one message
    let can_expand = check::check(&machine, &mut errors);
    let mut output: TokenStream = errors.iter().map(Error::to_compile_error).collect();
    if can_expand {
        let (module, of_enum, of_states) = (module(&machine), of_enum(&machine), of_states(&machine));
        output.extend(quote! {
            #module
            #[allow(clippy::all, deprecated, unused_qualifications)]
            const _: () = {
                #of_enum
                #of_states
            };
        });
    }
    output
}

fn module(machine: &Machine) -> TokenStream {
    let (visibility, name) = (&machine.visibility, &machine.module);
    let inner = inside_module(visibility);
    let enum_name = text(&machine.ident);
    let about =
        format!("The states of [`{enum_name}`], as types: for transitions that are checked by the compiler.");
    let states = machine.states.iter().map(|state| {
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
        #[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, non_snake_case, unreachable_pub)]
        #visibility mod #name {
            #(#states)*
        }
    }
}

fn of_enum(machine: &Machine) -> TokenStream {
    let Machine { library, ident, states, .. } = machine;
    let name = text(ident);
    let nodes = states.iter().enumerate().map(|(at, state)| node(machine, at, state));
    let indexes = states.iter().enumerate().map(|(at, state)| {
        let variant = &state.ident;
        quote!(Self::#variant { .. } => #at,)
    });
    let arms = |method: TokenStream| -> TokenStream {
        let nested = states.iter().filter(|state| state.nested.is_some());
        let arms = nested.filter_map(|state| {
            let (variant, ty) = (&state.ident, &state.field()?.ty);
            // all at the type of the field, so that one mistake there is one message
            let inner = quote_spanned!(ty.span() => <#ty as #library::minds::SubStates>::#method(inner));
            Some(quote!(Self::#variant(inner) => ::core::option::Option::Some(#inner),))
        });
        arms.collect()
    };
    let (nested, nested_mut) = (arms(quote!(nested)), arms(quote!(nested_mut)));
    quote! {
        impl #library::minds::StateMachine for #ident {
            const GRAPH: &'static #library::minds::StateGraph = &#library::minds::StateGraph {
                name: #name,
                id: ::core::concat!(::core::module_path!(), "::", #name),
                states: &[#(#nodes),*],
            };
            fn index(&self) -> ::core::primitive::usize {
                match self { #(#indexes)* }
            }
            fn nested(&self) -> ::core::option::Option<&dyn #library::minds::NestedMachine> {
                match self {
                    #nested
                    #[allow(unreachable_patterns)]
                    _ => ::core::option::Option::None,
                }
            }
            fn nested_mut(&mut self) -> ::core::option::Option<&mut dyn #library::minds::NestedMachine> {
                match self {
                    #nested_mut
                    #[allow(unreachable_patterns)]
                    _ => ::core::option::Option::None,
                }
            }
        }
    }
}

/// The description of a state in the graph.
fn node(machine: &Machine, at: usize, state: &State) -> TokenStream {
    let (library, name, targets) = (&machine.library, text(&state.ident), machine.targets(at));
    let nested = match (state.field(), &state.nested) {
        (Some(field), Some(_)) => {
            let ty = &field.ty;
            let graph = quote_spanned!(ty.span() => <#ty as #library::minds::SubStates>::GRAPH);
            quote!(::core::option::Option::Some(#graph))
        }
        _ => quote!(::core::option::Option::None),
    };
    quote!(#library::minds::StateNode { name: #name, to: &[#(#targets),*], nested: #nested })
}

fn of_states(machine: &Machine) -> TokenStream {
    let Machine { library, ident: of, states, module, .. } = machine;
    let impls = states.iter().enumerate().map(|(at, state)| {
        let ident = &state.ident;
        let targets = machine.targets(at).into_iter().map(|to| &states[to].ident);
        // a state without a field has the data `()`
        let (data, pattern, value, reference, exclusive) = match state.field() {
            Some(field) => {
                let ty = &field.ty;
                (
                    quote!(#ty),
                    quote!(#of::#ident(data)),
                    quote!(#of::#ident(data)),
                    quote!(data),
                    quote!(data),
                )
            }
            None => {
                let exclusive = quote!(#library::minds::__private::no_data());
                (quote!(()), quote!(#of::#ident), quote!(#of::#ident), quote!(&()), exclusive)
            }
        };
        quote! {
            impl #library::minds::StateVariant for #module::#ident {
                type Machine = #of;
                type Data = #data;
                const INDEX: ::core::primitive::usize = #at;
                #[allow(unused_variables)]
                fn state(data: #data) -> #of {
                    #value
                }
                fn data(state: &#of) -> ::core::option::Option<&#data> {
                    match state {
                        #pattern => ::core::option::Option::Some(#reference),
                        #[allow(unreachable_patterns)]
                        _ => ::core::option::Option::None,
                    }
                }
                fn data_mut(state: &mut #of) -> ::core::option::Option<&mut #data> {
                    match state {
                        #pattern => ::core::option::Option::Some(#exclusive),
                        #[allow(unreachable_patterns)]
                        _ => ::core::option::Option::None,
                    }
                }
            }
            #(impl #library::minds::CanChangeTo<#module::#targets, #of> for #module::#ident {})*
        }
    });
    // a machine may begin in several states; the first is that of `Default`
    let initial: Vec<_> = machine.initial().into_iter().map(|at| &states[at].ident).collect();
    let first = initial.first().into_iter();
    quote! {
        #(#impls)*
        #(impl #library::minds::InitialState for #module::#initial {})*
        #(impl #library::minds::FirstState for #of { type First = #module::#first; })*
    }
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
                Some("self") => parse_quote!(pub(super)),
                _ => parse_quote!(pub(in super::#path)),
            }
        }
    }
}
