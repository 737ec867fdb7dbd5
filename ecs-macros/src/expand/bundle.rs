//! The impls of a bundle: it is the sum of its fields, and they are distinct.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericParam, Type, WherePredicate, parse_quote};

use super::tuple::nest;
use crate::model::bundle::{Bundle, Field, variable};

pub(crate) fn expand(bundle: &Bundle) -> TokenStream {
    if bundle.not_a_struct.is_some() {
        return TokenStream::new();
    }
    let (of_bundle, of_distinct) = (of_bundle(bundle), of_distinct(bundle));
    quote! {
        const _: () = {
            #of_bundle
            #of_distinct
        };
    }
}

fn of_bundle(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, fields, .. } = bundle;
    let mut predicates: Vec<WherePredicate> =
        distinct(fields).map(|Field { ty, .. }| parse_quote!(#ty: #ecs::Bundle<__W>)).collect();
    predicates.push(parse_quote!(#subject: #ecs::__private::Distinct<__W, #ecs::__private::Nothing>));
    let generics = subject.generics(&[parse_quote!(__W: #ecs::World)], &predicates);
    let (parameters, _, clause) = generics.split_for_impl();
    let each = |make: &dyn Fn(&Field, syn::Ident) -> TokenStream| -> Vec<TokenStream> {
        fields.iter().enumerate().map(|(index, field)| make(field, variable(index))).collect()
    };
    let members = each(&|Field { member, .. }, value| quote!(#member: #value));
    let parts = nest(&each(&|Field { ty, .. }, _| quote!(<#ty as #ecs::Bundle<__W>>::Parts)));
    let pattern = nest(&each(&|_, value| quote!(#value)));
    let into = nest(&each(&|Field { ty, .. }, value| quote!(<#ty as #ecs::Bundle<__W>>::into_parts(#value))));
    let from = each(
        &|Field { member, ty, .. }, value| quote!(#member: <#ty as #ecs::Bundle<__W>>::from_parts(#value)),
    );
    quote! {
        #[automatically_derived]
        impl #parameters #ecs::Bundle<__W> for #subject #clause {
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

/// A chain: every field is put into the set that the fields before it left.
fn of_distinct(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, fields, .. } = bundle;
    let mut set: Type = parse_quote!(__S);
    let mut predicates: Vec<WherePredicate> = Vec::new();
    for Field { ty, .. } in distinct(fields) {
        predicates.push(parse_quote!(#ty: #ecs::__private::Distinct<__W, #set>));
        set = parse_quote!(<#ty as #ecs::__private::Distinct<__W, #set>>::Out);
    }
    let more: [GenericParam; 2] = [parse_quote!(__W: #ecs::World), parse_quote!(__S)];
    let generics = subject.generics(&more, &predicates);
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters #ecs::__private::Distinct<__W, __S> for #subject #clause {
            type Out = #set;
        }
    }
}

/// The fields that are no repetition of an earlier one: of a mistake that was reported, nothing more is said.
fn distinct(fields: &[Field]) -> impl Iterator<Item = &Field> {
    fields.iter().filter(|field| field.same_as.is_none())
}
