//! `impl Resource for X` and `impl Event for X`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::model::marker::Marker;

pub(crate) fn expand(marker: &Marker) -> TokenStream {
    let Marker { ecs, kind, subject, saving } = marker;
    let saving = super::saving::expand(ecs, subject, saving);
    let (name, of_trait) = (subject.name(), kind.of_trait());
    let derived = format_ident!("Is{of_trait}");
    let generics = subject.generics(&[], subject.owned_data().as_slice());
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        const _: () = {
            impl #parameters #ecs::#of_trait for #subject #clause {
                const NAME: &'static ::core::primitive::str = #name;
            }
            impl #parameters #ecs::__private::#derived for #subject #clause {}
            #saving
        };
    }
}
