//! The impls of a bundle: it is the sum of its fields, and they are distinct.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericParam, WherePredicate, parse_quote};

use super::tuple::nest;
use crate::model::bundle::{Bundle, Field, variable};
use crate::names::allow;
use crate::span::{Ends, at};

pub(crate) fn expand(bundle: &Bundle) -> TokenStream {
    if bundle.not_a_struct.is_some() || bundle.fields.is_empty() || !bundle.subject.lifetimes.is_empty() {
        return TokenStream::new();
    }
    let (of_bundle, of_distinct, allow) = (of_bundle(bundle), of_distinct(bundle), allow());
    quote! {
        #allow
        const _: () = {
            #of_bundle
            #of_distinct
        };
    }
}

/// A bundle of the world is what falls into distinct components.
fn of_bundle(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, .. } = bundle;
    let nothing = quote!(#ecs::__private::Nothing);
    let distinct: WherePredicate = parse_quote!(#subject: #ecs::__private::Distinct<__W, #nothing>);
    let generics = subject.generics(&[parse_quote!(__W: #ecs::World)], &[distinct]);
    let (parameters, _, clause) = generics.split_for_impl();
    let of_trait = at(quote!(#ecs::Bundle<__W>), subject.ident.span());
    quote! {
        impl #parameters #of_trait for #subject #clause {
            type Parts = <Self as #ecs::__private::Distinct<__W, #nothing>>::Parts;
            #[inline]
            fn into_parts(self) -> Self::Parts {
                #ecs::__private::Distinct::into_parts(self)
            }
            #[inline]
            fn from_parts(parts: Self::Parts) -> Self {
                #ecs::__private::Distinct::from_parts(parts)
            }
        }
    }
}

/// A chain: every field is put into the set that the fields before it left.
struct Chain {
    /// For each field, itself as what is put into the set before it.
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
                chain.steps.push(chain.steps[first].clone()); // was reported: nothing more is to be said about it
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
    let Bundle { ecs, subject, fields, .. } = bundle;
    let Chain { steps, predicates, set } = Chain::of(bundle);
    let more: [GenericParam; 2] = [parse_quote!(__W: #ecs::World), parse_quote!(__S)];
    let generics = subject.generics(&more, &predicates);
    let (parameters, _, clause) = generics.split_for_impl();
    let each = |make: &dyn Fn(&Field, &TokenStream, syn::Ident) -> TokenStream| -> Vec<TokenStream> {
        let fields = fields.iter().zip(&steps).enumerate();
        fields.map(|(index, (field, step))| make(field, step, variable(index))).collect()
    };
    let members = each(&|Field { member, .. }, _, value| quote!(#member: #value));
    let parts = nest(&each(&|_, step, _| quote!(#step::Parts)));
    let pattern = nest(&each(&|_, _, value| quote!(#value)));
    let into = nest(&each(&|_, step, value| quote!(#step::into_parts(#value))));
    let from = each(&|Field { member, .. }, step, value| quote!(#member: #step::from_parts(#value)));
    let of_trait = at(quote!(#ecs::__private::Distinct<__W, __S>), subject.ident.span());
    quote! {
        impl #parameters #of_trait for #subject #clause {
            type Out = #set;
            type Parts = #parts;
            #[inline]
            fn into_parts(self) -> Self::Parts {
                let Self { #(#members),* } = self;
                #into
            }
            #[inline]
            fn from_parts(parts: Self::Parts) -> Self {
                let #pattern = parts;
                Self { #(#from),* }
            }
        }
    }
}
