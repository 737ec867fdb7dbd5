//! The impls of a bundle: the components of its fields, and the proof that they are distinct.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericParam, WherePredicate, parse_quote};

use super::tuple::nest;
use crate::model::bundle::{Bundle, Field, variable};
use crate::names::allow;
use crate::span::{Ends, at};

pub(crate) fn expand(bundle: &Bundle) -> TokenStream {
    let (Some(impls), allow) = (impls(bundle), allow()) else { return TokenStream::new() };
    quote! {
        #allow
        const _: () = {
            #impls
        };
    }
}

/// The impls, where there can be any.
pub(super) fn impls(bundle: &Bundle) -> Option<TokenStream> {
    if !bundle.subject.lifetimes.is_empty() {
        return None;
    }
    if bundle.broken {
        return Some(of_broken(bundle));
    }
    if bundle.fields.is_empty() {
        return None;
    }
    let (of_parts, of_bundle, of_distinct) = (of_parts(bundle), of_bundle(bundle), of_distinct(bundle));
    Some(quote! {
        #of_parts
        #of_bundle
        #of_distinct
    })
}

/// Impls for every world that panic when called: uses of a bundle with a reported mistake cause no
/// further messages.
fn of_broken(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, .. } = bundle;
    let of_world = subject.generics(&[parse_quote!(__W: #ecs::World)], &[]);
    let of_set = subject.generics(&[parse_quote!(__W: #ecs::World), parse_quote!(__S)], &[]);
    let (of_world, _, clause) = of_world.split_for_impl();
    let (of_set, _, _) = of_set.split_for_impl();
    quote! {
        impl #of_world #ecs::Bundle<__W> for #subject #clause {
            type Replaced = ();
        }
        impl #of_set #ecs::__private::Distinct<__W, __S> for #subject #clause {
            type Out = __S;
        }
        impl #of_world #ecs::__private::IntoComponents<__W> for #subject #clause {
            type BundleComponents = ();
            fn into_components(self) -> () {
                ::core::unreachable!()
            }
            fn from_components(_: ()) -> Self {
                ::core::unreachable!()
            }
        }
    }
}

/// A type is a bundle of a world if its components are distinct.
fn of_bundle(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, .. } = bundle;
    let empty = quote!(#ecs::__private::EmptySet);
    let distinct: WherePredicate = parse_quote!(#subject: #ecs::__private::Distinct<__W, #empty>);
    let generics = subject.generics(&[parse_quote!(__W: #ecs::World)], &[distinct]);
    let (parameters, _, clause) = generics.split_for_impl();
    let of_trait = at(quote!(#ecs::Bundle<__W>), subject.ident.span());
    quote! {
        impl #parameters #of_trait for #subject #clause {
            type Replaced = #ecs::__private::BundleOptions<__W, Self>;
        }
    }
}

/// The bounds that add one field after another to the type-level set of components.
struct Chain {
    /// For each field, its type as an impl of `Distinct` for the set of the fields before it.
    steps: Vec<TokenStream>,
    predicates: Vec<WherePredicate>,
    /// The set after the last field.
    set: TokenStream,
}

impl Chain {
    fn of(bundle: &Bundle) -> Self {
        let Bundle { ecs, fields, .. } = bundle;
        let mut chain = Self { steps: Vec::new(), predicates: Vec::new(), set: quote!(__S) };
        for Field { ty, same_as, .. } in fields {
            let first =
                same_as.as_ref().and_then(|same| fields.iter().position(|field| field.member == *same));
            if let Some(first) = first {
                chain.steps.push(chain.steps[first].clone()); // was reported
                continue;
            }
            let distinct = at(quote!(#ecs::__private::Distinct), Ends::of(ty).first);
            let set = std::mem::take(&mut chain.set);
            chain.predicates.push(parse_quote!(#ty: #distinct<__W, #set>));
            let step = quote!(<#ty as #ecs::__private::Distinct<__W, #set>>);
            chain.set = quote!(#step::Out);
            chain.steps.push(step);
        }
        chain
    }
}

fn of_distinct(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, .. } = bundle;
    let Chain { predicates, set, .. } = Chain::of(bundle);
    let more: [GenericParam; 2] = [parse_quote!(__W: #ecs::World), parse_quote!(__S)];
    let generics = subject.generics(&more, &predicates);
    let (parameters, _, clause) = generics.split_for_impl();
    let of_trait = at(quote!(#ecs::__private::Distinct<__W, __S>), subject.ident.span());
    quote! {
        impl #parameters #of_trait for #subject #clause {
            type Out = #set;
        }
    }
}

/// The components of a bundle are the components of its fields.
fn of_parts(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, fields, .. } = bundle;
    let of_trait = quote!(#ecs::__private::IntoComponents<__W>);
    let predicates: Vec<WherePredicate> = fields
        .iter()
        .filter(|field| field.same_as.is_none())
        .map(|Field { ty, .. }| {
            let of_trait = at(of_trait.clone(), Ends::of(ty).first);
            parse_quote!(#ty: #of_trait)
        })
        .collect();
    let generics = subject.generics(&[parse_quote!(__W: #ecs::World)], &predicates);
    let (parameters, _, clause) = generics.split_for_impl();
    let each = |make: &dyn Fn(&Field, syn::Ident) -> TokenStream| -> Vec<TokenStream> {
        fields.iter().enumerate().map(|(index, field)| make(field, variable(index))).collect()
    };
    let members = each(&|Field { member, .. }, value| quote!(#member: #value));
    let parts = nest(&each(&|Field { ty, .. }, _| quote!(<#ty as #of_trait>::BundleComponents)));
    let pattern = nest(&each(&|_, value| quote!(#value)));
    let into =
        nest(&each(&|_, value| quote!(#ecs::__private::IntoComponents::<__W>::into_components(#value))));
    let from = each(
        &|Field { member, .. }, value| quote!(#member: #ecs::__private::IntoComponents::<__W>::from_components(#value)),
    );
    quote! {
        impl #parameters #of_trait for #subject #clause {
            type BundleComponents = #parts;
            #[inline]
            fn into_components(self) -> Self::BundleComponents {
                let Self { #(#members),* } = self;
                #into
            }
            #[inline]
            fn from_components(parts: Self::BundleComponents) -> Self {
                let #pattern = parts;
                Self { #(#from),* }
            }
        }
    }
}
