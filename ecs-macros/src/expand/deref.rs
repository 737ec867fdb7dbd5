//! `Deref` and `DerefMut` of a struct with one field, which follow the error about the derives of
//! these names.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Member};

pub(crate) fn expand(derive: &str, tokens: &TokenStream) -> Option<TokenStream> {
    let item: DeriveInput = syn::parse2(tokens.clone()).ok()?;
    let Data::Struct(data) = &item.data else { return None };
    let field = data.fields.iter().next()?;
    let member = field.ident.clone().map_or_else(|| Member::from(0), Member::from);
    let (name, (parameters, arguments, clause)) = (&item.ident, item.generics.split_for_impl());
    Some(match derive {
        "Deref" => {
            let ty = field.ty.to_token_stream();
            quote! {
                impl #parameters ::core::ops::Deref for #name #arguments #clause {
                    type Target = #ty;
                    fn deref(&self) -> &Self::Target { &self.#member }
                }
            }
        }
        _ => quote! {
            impl #parameters ::core::ops::DerefMut for #name #arguments #clause {
                fn deref_mut(&mut self) -> &mut Self::Target { &mut self.#member }
            }
        },
    })
}
