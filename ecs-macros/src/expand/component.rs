//! The impls of a component: what it is, how it is a bundle of one, what it requires.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{GenericParam, parse_quote};

use crate::model::component::Component;
use crate::names::allow;
use crate::parse::component::Removed;
use crate::span::{Ends, at};

pub(crate) fn expand(component: &Component) -> TokenStream {
    let impls = [
        of_component(component),
        of_bundle(component),
        of_distinct(component),
        of_requirements(component),
        of_logged(component).unwrap_or_default(),
        of_deref(component),
        of_data(component),
    ];
    let allow = allow();
    quote! {
        #allow
        const _: () = {
            #(#impls)*
        };
    }
}

fn of_component(component: &Component) -> TokenStream {
    let Component { ecs, subject, .. } = component;
    let (identity, kind) = (subject.identity(ecs), kind(component));
    let generics = subject.generics(&[], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        impl #parameters #ecs::Component for #subject #clause {
            const IDENTITY: #ecs::__private::Identity = #identity;
            type Kind = #kind;
        }
    }
}

/// The component's kind, a type of the library.
pub(super) fn kind(component: &Component) -> TokenStream {
    let (ecs, kind) = (&component.ecs, format_ident!("{}", component.kind()));
    let mut kind = quote!(#ecs::__private::#kind);
    if component.unique {
        kind = quote!(#ecs::__private::Guarded<#ecs::__private::Sole<Self>, #kind>);
    }
    if component.relation {
        let stored = if component.many { quote!(#ecs::Many<Self>) } else { quote!(Self) };
        kind = quote!(#ecs::__private::Guarded<#ecs::__private::Relating<#stored>, #kind>);
    }
    match &component.removed {
        None => kind,
        Some(Removed { most: Some(most), .. }) => quote!(#ecs::__private::Logged<#kind, #most>),
        Some(Removed { most: None, .. }) => {
            quote!(#ecs::__private::Logged<#kind, { ::core::primitive::usize::MAX }>)
        }
    }
}

/// That a component is `Clone` whose removed values are kept. Of a generic one it is asked where they are read.
pub(super) fn of_logged(component: &Component) -> Option<TokenStream> {
    let Component { ecs, subject, .. } = component;
    let removed = component.removed.as_ref().filter(|_| !subject.is_generic())?;
    let span = removed.option.span();
    let (open, close) = (at(quote!(<), span), at(quote!(as #ecs::__private::LoggedValue>::CLONE), span));
    Some(quote!(const _: () = #open #subject #close;))
}

/// A parameter whose bound lies over the component's name.
fn bounded(component: &Component, parameter: TokenStream) -> GenericParam {
    let parameter = at(parameter, component.subject.ident.span());
    parse_quote!(#parameter)
}

fn of_bundle(component: &Component) -> TokenStream {
    let Component { ecs, subject, .. } = component;
    let world = bounded(component, quote!(__W: #ecs::Has<#subject>));
    let generics = subject.generics(&[world], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    let of_trait = at(quote!(#ecs::Bundle<__W>), subject.ident.span());
    quote! {
        impl #parameters #of_trait for #subject #clause {}
    }
}

fn of_distinct(component: &Component) -> TokenStream {
    let Component { ecs, subject, .. } = component;
    let slot = quote!(<__W as #ecs::Has<#subject>>::Slot);
    let world = bounded(component, quote!(__W: #ecs::Has<#subject>));
    let set = bounded(component, quote!(__S: #ecs::__private::Put<#slot, #subject>));
    let generics = subject.generics(&[world, set], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    let of_trait = at(quote!(#ecs::__private::Distinct<__W, __S>), subject.ident.span());
    quote! {
        impl #parameters #of_trait for #subject #clause {
            type Out = <__S as #ecs::__private::Put<#slot, #subject>>::Out;
        }
    }
}

fn of_requirements(component: &Component) -> TokenStream {
    let Component { ecs, subject, requires, .. } = component;
    let kind = kind(component);
    let kind = if requires.is_empty() { kind } else { quote!(#ecs::__private::Requiring<Self, #kind>) };
    let demands = requires.iter().map(|ty| {
        let ends = Ends::of(ty);
        let (open, close) = (at(quote!(+ #ecs::Has<), ends.first), at(quote!(>), ends.last));
        quote!(#open #ty #close)
    });
    let world: GenericParam = parse_quote!(__W: #ecs::World #(#demands)*);
    let generics = subject.generics(&[world], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    let of_trait = at(quote!(#ecs::Requirements<__W>), subject.ident.span());
    // what is the default is left out: each item costs the compiler time, in every component
    let listed = (!requires.is_empty()).then(|| {
        quote! {
            const DIRECT: #ecs::ComponentSet = #ecs::ComponentSet::EMPTY
                #(.with(<__W as #ecs::Has<#requires>>::INDEX))*;
            fn fill(at: &mut #ecs::__private::Filler<'_, __W>) {
                #(at.require::<#requires>();)*
            }
        }
    });
    quote! {
        impl #parameters #of_trait for #subject #clause {
            type Kind = #kind;
            #listed
        }
    }
}

/// A component by value is not what a query can ask for, nor a filter: it matches nothing, and no world answers it. That
/// it is a type that a query can be written with leaves one message of one mistake.
fn of_data(component: &Component) -> TokenStream {
    let Component { ecs, subject, .. } = component;
    let generics = subject.generics(&[], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        unsafe impl #parameters #ecs::Data for #subject #clause {
            type Columns = ();
            type Base = ();
            type Item<'__q> = &'__q Self;
            type ReadOnly = Self;
        }
        unsafe impl #parameters #ecs::ReadData for #subject #clause {}
        unsafe impl #parameters #ecs::Filter for #subject #clause {
            type Columns = ();
        }
    }
}

pub(super) fn of_deref(component: &Component) -> TokenStream {
    let Component { subject, .. } = component;
    let Some((member, target)) = component.deref.as_ref().and_then(|deref| deref.field.as_ref()) else {
        return TokenStream::new();
    };
    let generics = subject.generics(&[], &[]);
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        impl #parameters ::core::ops::Deref for #subject #clause {
            type Target = #target;
            #[inline]
            fn deref(&self) -> &Self::Target {
                &self.#member
            }
        }
        impl #parameters ::core::ops::DerefMut for #subject #clause {
            #[inline]
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.#member
            }
        }
    }
}
