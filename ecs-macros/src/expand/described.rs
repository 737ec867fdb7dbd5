//! The documentation of a type and its fields, for `ecs::reflect`. Nothing without the feature
//! `reflect`.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::model::subject::Subject;
use crate::names::Ecs;

pub(crate) fn expand(ecs: &Ecs, subject: &Subject) -> TokenStream {
    if subject.docs.is_empty() {
        return TokenStream::new();
    }
    let (parameters, clause) = subject.generics(TokenStream::new(), subject.owned_data().as_slice());
    let docs = constant(ecs, subject, &format_ident!("DOCS"));
    quote! {
        impl #parameters #ecs::__private::Described for #subject #clause {
            #docs
        }
    }
}

/// The constant with the documentation; nothing if there is none.
pub(crate) fn constant(ecs: &Ecs, subject: &Subject, name: &Ident) -> TokenStream {
    if subject.docs.is_empty() {
        return TokenStream::new();
    }
    let docs = subject.docs.iter().map(|(path, text)| quote!((#path, #text)));
    quote!(const #name: #ecs::__private::TypeDocs = &[#(#docs),*];)
}
