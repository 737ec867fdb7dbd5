//! The impls that tell a world how a type is saved. A type without such attributes gets the default
//! ones.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::subject::Subject;
use crate::names::Ecs;
use crate::parse::saving::Saving;
use crate::span::{Ends, at};

pub(crate) fn expand(ecs: &Ecs, subject: &Subject, saving: &Saving) -> TokenStream {
    let Saving { aliases, olds, skip, hidden, .. } = saving;
    let (parameters, clause) = subject.generics(TokenStream::new(), subject.owned_data().as_slice());
    let hidden = hidden.then(|| quote!(impl #parameters #ecs::__private::Hidden for #subject #clause {}));
    if !cfg!(feature = "serde") {
        return quote!(#hidden);
    }
    let skipped = skip
        .as_ref()
        .map(|_| quote!(impl #parameters #ecs::__private::save::Skipped for #subject #clause {}));
    let renamed = (!aliases.is_empty()).then(|| {
        quote! {
            impl #parameters #ecs::__private::save::Renamed for #subject #clause {
                const ALIASES: &'static [&'static ::core::primitive::str] = &[#(#aliases),*];
            }
        }
    });
    let olds = olds.iter().map(|ty| {
        // a missing `Deserialize` or `From` is reported under the old type
        let ends = Ends::of(ty);
        let (open, close) =
            (at(quote!(#ecs::__private::save::Old::of::<), ends.first), at(quote!(>()), ends.last));
        quote!(#open #ty #close)
    });
    let olds: Vec<_> = olds.collect();
    let migrates = (!olds.is_empty()).then(|| {
        quote! {
            impl #parameters #ecs::__private::save::Migrates for #subject #clause {
                const OLDS: &'static [#ecs::__private::save::Old<Self>] = &[#(#olds),*];
            }
        }
    });
    quote!(#hidden #skipped #renamed #migrates)
}
