//! The derives of bevy that the library does not have: each is one error that says what to write instead, and an impl that keeps the
//! compiler from reporting the uses of the type.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericArgument, GenericParam, parse_quote};

use crate::lifetimes;
use crate::names::allow;
use crate::parse::derive::Derive;

/// An impl of `SystemParam` for every world, whose items are never made.
pub(crate) fn system_param(parsed: &Derive) -> TokenStream {
    let (ecs, ident, allow) = (&parsed.ecs, &parsed.item.ident, allow());
    let mut generics = parsed.item.generics.clone();
    generics.params.push(parse_quote!(__W: #ecs::World));
    let (parameters, _, clause) = generics.split_for_impl();
    let arguments = parsed.item.generics.params.iter().map(|parameter| -> GenericArgument {
        match parameter {
            GenericParam::Lifetime(parameter) => GenericArgument::Lifetime(parameter.lifetime.clone()),
            GenericParam::Type(parameter) => {
                let ident = &parameter.ident;
                parse_quote!(#ident)
            }
            GenericParam::Const(parameter) => {
                let ident = &parameter.ident;
                parse_quote!(#ident)
            }
        }
    });
    let subject = parse_quote!(#ident<#(#arguments),*>);
    let item = lifetimes::written(&subject, "'static").into_token_stream();
    quote! {
        #allow
        const _: () = {
            unsafe impl #parameters #ecs::system::SystemParam<__W> for #subject #clause {
                const ACCESS: #ecs::__private::Access = #ecs::__private::Access::NONE;
                type State = ();
                type Item<'__w> = #item;
                fn init(_: &mut __W) {}
                unsafe fn get<'__w>(_: #ecs::__private::WorldCell<'__w, __W>, _: &'__w mut ()) -> #item {
                    ::core::unreachable!()
                }
                fn lend<'__w>(_: &'__w mut #item) -> #item {
                    ::core::unreachable!()
                }
            }
        };
    }
}
