//! Fields of saved types whose own types are not saved, by the text of their file. The compiler
//! would report each of them three times.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Field, Type};

use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{Ecs, text};
use crate::source_file::{self, Declaration};
use crate::types;

/// Reports the types of fields without the derives of serde that `item` has, and returns their impls,
/// so that no other error follows.
pub(crate) fn check(item: &DeriveInput, ecs: &Ecs, errors: &mut Diagnostics) -> TokenStream {
    let is_plain = |attributes: &[Attribute]| attributes.iter().all(|one| !one.path().is_ident("serde"));
    let fields: Vec<&Field> = match &item.data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    let (mut impls, mut found) = (TokenStream::new(), Vec::new());
    let is_saved = || {
        let own = Declaration::of(&item.ident);
        own.is_some_and(|own| own.has_derive("Serialize") || own.has_derive("Deserialize"))
    };
    if !cfg!(feature = "serde") || fields.is_empty() || !is_plain(&item.attrs) || !is_saved() {
        return impls;
    }
    let types =
        fields.iter().filter(|field| is_plain(&field.attrs)).flat_map(|field| types::paths(&field.ty));
    for ty in types {
        let Type::Path(path) = ty else { continue };
        let Some(name) = path.path.get_ident().filter(|name| !found.contains(name)) else { continue };
        if !Declaration::of(name).is_some_and(|declared| declared.is_unsaved(name)) {
            continue;
        }
        let derived = source_file::derives_of_serde(&item.ident);
        if derived.is_empty() {
            return impls;
        }
        let (owner, of) = (text(&item.ident), derived.join(", "));
        errors.push(name.wrong(format!(
            "`{owner}` is saved, and its field is `{name}`, which is not: write `#[derive({of})]` on `{name}`"
        )));
        for of_trait in derived {
            let serde = quote!(#ecs::__private::serde);
            let (lifetime, parameter, bound, method) = match of_trait {
                "Serialize" => (None, quote!(&self, _: __S), quote!(Serializer), "serialize"),
                _ => (Some(quote!(<'de>)), quote!(_: __S), quote!(Deserializer<'de>), "deserialize"),
            };
            let [of_trait, method] = [of_trait, method].map(|name| format_ident!("{name}"));
            let output = if lifetime.is_some() { quote!(Self) } else { quote!(__S::Ok) };
            impls.extend(quote! {
                impl #lifetime #serde::#of_trait #lifetime for #name {
                    fn #method<__S: #serde::#bound>(#parameter) -> ::core::result::Result<#output, __S::Error> {
                        ::core::unreachable!()
                    }
                }
            });
        }
        found.push(name);
    }
    impls
}
