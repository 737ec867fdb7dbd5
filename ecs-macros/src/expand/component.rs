//! The impls of a component: what it is, how it is a bundle of one, what it requires.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericParam, parse_quote};

use crate::model::component::{Component, Shape};

pub(crate) fn expand(component: &Component) -> TokenStream {
    let impls = [
        of_component(component),
        of_bundle(component),
        of_distinct(component),
        of_requirements(component),
        of_plain_mut(component),
        of_deref(component),
    ];
    quote! {
        const _: () = {
            #(#impls)*
        };
    }
}

fn of_component(component: &Component) -> TokenStream {
    let Component { ecs, subject, .. } = component;
    let name = subject.name();
    let generics = subject.generics(&[], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters #ecs::Component for #subject #clause {
            const NAME: &'static str = #name;
        }
    }
}

fn of_bundle(component: &Component) -> TokenStream {
    let Component { ecs, subject, .. } = component;
    let world: GenericParam = parse_quote!(__W: #ecs::Has<#subject>);
    let generics = subject.generics(&[world], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters #ecs::Bundle<__W> for #subject #clause {
            type Parts = #ecs::__private::One<Self>;
            #[inline]
            fn into_parts(self) -> Self::Parts {
                #ecs::__private::One(self)
            }
            #[inline]
            fn from_parts(parts: Self::Parts) -> Self {
                parts.0
            }
        }
    }
}

fn of_distinct(component: &Component) -> TokenStream {
    let Component { ecs, subject, .. } = component;
    let slot = quote!(<__W as #ecs::Has<#subject>>::Slot);
    let world: GenericParam = parse_quote!(__W: #ecs::Has<#subject>);
    let set: GenericParam = parse_quote!(__S: #ecs::__private::Put<#slot, #subject>);
    let generics = subject.generics(&[world, set], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters #ecs::__private::Distinct<__W, __S> for #subject #clause {
            type Out = <__S as #ecs::__private::Put<#slot, #subject>>::Out;
        }
    }
}

fn of_requirements(component: &Component) -> TokenStream {
    let Component { ecs, subject, requires, .. } = component;
    let world: GenericParam = parse_quote!(__W: #ecs::World #(+ #ecs::Has<#requires>)*);
    let generics = subject.generics(&[world], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters #ecs::Requirements<__W> for #subject #clause {
            const DIRECT: #ecs::ComponentSet = #ecs::ComponentSet::EMPTY
                #(.with(<__W as #ecs::Has<#requires>>::INDEX))*;
            #[allow(unused_variables)]
            fn fill(at: &mut #ecs::__private::Filler<'_, __W>) {
                #(at.require::<#requires>();)*
            }
        }
    }
}

/// Values of a tag are all alike, so `&mut` to one has no use and no impl.
fn of_plain_mut(component: &Component) -> TokenStream {
    let Component { ecs, subject, shape, .. } = component;
    if matches!(shape, Shape::Tag) {
        return TokenStream::new();
    }
    let generics = subject.generics(&[], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters #ecs::__private::PlainMut for #subject #clause {}
    }
}

fn of_deref(component: &Component) -> TokenStream {
    let Component { subject, .. } = component;
    let Some((member, target)) = component.deref.as_ref().and_then(|deref| deref.field.as_ref()) else {
        return TokenStream::new();
    };
    let generics = subject.generics(&[], &[]);
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters ::core::ops::Deref for #subject #clause {
            type Target = #target;
            #[inline]
            fn deref(&self) -> &Self::Target {
                &self.#member
            }
        }
        #[automatically_derived]
        impl #parameters ::core::ops::DerefMut for #subject #clause {
            #[inline]
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.#member
            }
        }
    }
}
