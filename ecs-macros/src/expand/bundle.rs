//! The impls of a bundle: its fields as a tuple.

use proc_macro2::TokenStream;
use quote::quote;

use super::tuple::nest;
use crate::model::bundle::{Bundle, Field, variable};
use crate::names::allow;
use crate::span::at;

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
    // a field with the type of another one was reported
    if bundle.broken || bundle.fields.iter().any(|field| field.same_as.is_some()) {
        return Some(of_broken(bundle));
    }
    (!bundle.fields.is_empty()).then(|| of_fields(bundle))
}

/// The shape of a bundle of every world: uses of a bundle with a reported mistake cause no further
/// messages.
fn of_broken(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, .. } = bundle;
    let (parameters, clause) = subject.generics(quote!(__W: #ecs::World), &[]);
    quote! {
        impl #parameters #ecs::__private::IsBundle<__W> for #subject #clause {
            type Shape = #ecs::__private::BrokenShape;
        }
    }
}

/// A struct is a bundle where the tuple of its fields is one.
fn of_fields(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, fields, .. } = bundle;
    let (parameters, clause) = subject.generics(TokenStream::new(), &[]);
    let (with_world, _) = subject.generics(quote!(__W: #ecs::World), &[]);
    let each = |make: &dyn Fn(&Field, syn::Ident) -> TokenStream| -> Vec<TokenStream> {
        fields.iter().enumerate().map(|(index, field)| make(field, variable(index))).collect()
    };
    let members = each(&|Field { member, .. }, value| quote!(#member: #value));
    let types = nest(&each(&|Field { ty, .. }, _| quote!(#ty)));
    let values = nest(&each(&|_, value| quote!(#value)));
    let of_trait = at(quote!(#ecs::__private::IsBundle<__W>), subject.ident.span());
    quote! {
        impl #with_world #of_trait for #subject #clause {
            type Shape = #ecs::__private::StructShape;
        }
        impl #parameters #ecs::__private::BundleFields for #subject #clause {
            type Tuple = #types;
            #[inline]
            fn into_tuple(self) -> Self::Tuple {
                let Self { #(#members),* } = self;
                #values
            }
            #[inline]
            fn from_tuple(tuple: Self::Tuple) -> Self {
                let #values = tuple;
                Self { #(#members),* }
            }
        }
    }
}
