//! `#[derive(Fact)]`: an enum without fields, whose variants are facts.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Path, Token, parse_quote};

use crate::model::options;
use crate::names::text;

/// Facts are the bits of a word.
const MOST_FACTS: usize = 64;

pub(crate) fn expand(item: &DeriveInput) -> TokenStream {
    let (name, mut errors) = (text(&item.ident), Vec::new());
    let mut library: Path = parse_quote!(::ecs_mechanics);
    let subject = format!("facts `{name}`");
    options(&item.attrs, "fact", &subject, &["crate = path"], &mut errors, &mut |_, input| {
        input.parse::<Token![=]>()?;
        library = input.call(Path::parse_mod_style)?;
        Ok(())
    });
    // mistakes in the options do not prevent the expansion
    let before = errors.len();
    let mut variants = Vec::new();
    match &item.data {
        Data::Enum(data) if item.generics.params.is_empty() => {
            for variant in &data.variants {
                if !matches!(variant.fields, Fields::Unit) {
                    let shown = text(&variant.ident);
                    let message = format!(
                        "fact `{shown}` of `{name}` has fields: a fact holds or does not; write `{shown}` alone"
                    );
                    errors.push(Error::new(variant.fields.span(), message));
                }
                variants.push(&variant.ident);
            }
            if variants.len() > MOST_FACTS {
                let message =
                    format!("`{name}` has more than {MOST_FACTS} facts: divide them into several enums");
                errors.push(Error::new(item.ident.span(), message));
            }
        }
        _ => {
            let message = format!(
                "`Fact` is for an enum without parameters, with a variant for each fact; `{name}` is none"
            );
            errors.push(Error::new(item.ident.span(), message));
        }
    }
    // without an enum of plain variants there is nothing to expand
    let mut output: TokenStream = errors.iter().map(Error::to_compile_error).collect();
    if errors.len() == before {
        let (ident, names) = (&item.ident, variants.iter().map(|variant| text(variant)));
        let bits = 0..variants.len() as u32;
        output.extend(quote! {
            #[allow(clippy::all, deprecated, unused_qualifications)]
            const _: () = {
                impl #library::facts::Fact for #ident {
                    const NAME: &'static ::core::primitive::str = #name;
                    const NAMES: &'static [&'static ::core::primitive::str] = &[#(#names),*];
                    fn bit(&self) -> ::core::primitive::u32 {
                        match *self { #(Self::#variants => #bits,)* }
                    }
                }
            };
        });
    }
    output
}
