//! `impl Resource for X` and `impl Event for X`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{WherePredicate, parse_quote};

use crate::model::marker::{Kind, Marker};
use crate::parse::derive::Options;

pub(crate) fn expand(marker: &Marker) -> TokenStream {
    let Marker { ecs, kind, subject, options, .. } = marker;
    let Options { saving, shared, tracked, main_thread, check } = options;
    let (saving, described) =
        (super::saving::expand(ecs, subject, saving), super::described::expand(ecs, subject));
    let (name, of_trait) = (subject.name(), kind.of_trait());
    let (derived, constant) =
        (format_ident!("Is{of_trait}"), format_ident!("{}_NAME", of_trait.to_string().to_uppercase()));
    // `for<'__a>` keeps rustc from checking the bound here: `world!` checks it, once
    let bound: Option<WherePredicate> = match kind {
        Kind::Event => Some(parse_quote!(for<'__a> #subject: #ecs::__private::ThreadSafe)),
        Kind::Resource => subject.owned_data(),
    };
    let (parameters, bound) = subject.generics(TokenStream::new(), bound.as_slice());
    let (_, clause) = subject.generics(TokenStream::new(), &[]);
    // systems that use a resource of the main thread run in the order of the text, as those of a
    // shared one do
    let unshared = matches!((kind, shared, main_thread), (Kind::Resource, None, false))
        .then(|| quote!(#[doc(hidden)] impl #parameters #ecs::__private::Unshared for #subject #clause {}));
    let tracked =
        tracked.then(|| quote!(impl #parameters #ecs::resource::TrackedResource for #subject #clause {}));
    let main_thread = main_thread
        .then(|| quote!(#[doc(hidden)] impl #parameters #ecs::__private::MainThread for #subject #clause {}));
    let check = check.as_ref().map(
        |check| quote!(const DERIVED: ::core::option::Option<&'static ::core::primitive::str> = #check;),
    );
    // a message about another type would list the resources of the library, too
    let quiet = ecs.is_own().then(|| quote!(#[diagnostic::do_not_recommend]));
    quote! {
        const _: () = {
            #quiet
            impl #parameters #ecs::#of_trait for #subject #bound {
                const #constant: &'static ::core::primitive::str = #name;
            }
            #[doc(hidden)]
            #quiet
            impl #parameters #ecs::__private::#derived for #subject #clause { #check }
            #unshared
            #tracked
            #main_thread
            #saving
            #described
        };
    }
}
