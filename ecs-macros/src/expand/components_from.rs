//! The structs of a file, and an `include_bytes!` that makes the compiler watch the file.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Attribute;

use crate::json::{Kind, Value};
use crate::model::components_from::{Declared, Definitions, Struct, Type};
use crate::names::Ecs;

pub(crate) fn expand(definitions: &Definitions) -> TokenStream {
    let ecs = &definitions.ecs;
    let files = definitions.files.iter().map(|file| {
        let cfg = crate::cfg::of(&file.attributes);
        let tracked =
            file.full.as_ref().filter(|_| file.is_read).map(
                |full| quote!(#(#cfg)* const _: &[::core::primitive::u8] = ::core::include_bytes!(#full);),
            );
        let structs = file.structs.iter().map(|it| declaration(ecs, file, it));
        let defaults = file.structs.iter().map(|it| default(ecs, file, it));
        quote!(#tracked #(#structs)* #(#defaults)*)
    });
    quote!(#(#files)*)
}

/// Whether an attribute applies to components only.
fn is_of_component(attribute: &Attribute) -> bool {
    attribute.path().is_ident("component") || attribute.path().is_ident("doc")
}

fn declaration(ecs: &Ecs, file: &Declared, it: &Struct) -> TokenStream {
    let Struct { ident, defined_as, is_component, fields, .. } = it;
    let visibility = &file.visibility;
    let attributes = file.attributes.iter().filter(|attribute| *is_component || !is_of_component(attribute));
    let derive = is_component.then(|| {
        let path = (!ecs.is_default()).then(|| quote!(#[component(crate = #ecs)]));
        quote!(#[derive(#ecs::Component)] #path)
    });
    let noun = if *is_component { "Component" } else { "Object" };
    let doc = format!("{noun} `{defined_as}` of `{}`.", file.path);
    let fields = fields.iter().map(|field| {
        let (ident, ty) = (&field.ident, of_type(ecs, &field.ty));
        let doc = format!("`{}`", field.key);
        quote!(#[doc = #doc] #visibility #ident: #ty)
    });
    let body = if it.fields.is_empty() { quote!(;) } else { quote!({ #(#fields,)* }) };
    quote! {
        #derive
        #(#attributes)*
        #[doc = #doc]
        #[allow(non_snake_case)]
        #visibility struct #ident #body
    }
}

/// The impl of `Default`, with the values in the file.
fn default(ecs: &Ecs, file: &Declared, it: &Struct) -> Option<TokenStream> {
    let (ident, cfg) = (&it.ident, crate::cfg::of(&file.attributes));
    let value = expression(ecs, file, it.value.as_ref()?, &Type::Struct(ident.clone()));
    Some(quote! {
        #(#cfg)*
        impl ::core::default::Default for #ident {
            fn default() -> Self {
                #value
            }
        }
    })
}

fn of_type(ecs: &Ecs, ty: &Type) -> TokenStream {
    match ty {
        Type::Bool => quote!(::core::primitive::bool),
        Type::Integer => quote!(::core::primitive::i64),
        Type::Float => quote!(::core::primitive::f64),
        Type::Text => quote!(#ecs::__private::String),
        Type::List(element) => {
            let element = of_type(ecs, element);
            quote!(#ecs::__private::Vec<#element>)
        }
        Type::Struct(ident) => ident.to_token_stream(),
    }
}

/// The value as an expression of its type.
fn expression(ecs: &Ecs, file: &Declared, value: &Value, ty: &Type) -> TokenStream {
    match (&value.kind, ty) {
        (Kind::Bool(value), _) => quote!(#value),
        (Kind::Text(text), _) => {
            quote!(<#ecs::__private::String as ::core::convert::From<&::core::primitive::str>>::from(#text))
        }
        (Kind::Number(digits), Type::Integer) => {
            let (sign, digits) = sign_of(digits);
            let number = format!("{digits}i64").parse::<Literal>().map(Literal::into_token_stream);
            let number = number.unwrap_or_default();
            quote!(#sign #number)
        }
        (Kind::Number(digits), _) => {
            let (sign, digits) = sign_of(digits);
            let number = Literal::f64_suffixed(digits.parse().unwrap_or_default());
            quote!(#sign #number)
        }
        (Kind::List(elements), Type::List(element)) => {
            let length = elements.len();
            let elements = elements.iter().map(|value| expression(ecs, file, value, element));
            quote!(<#ecs::__private::Vec<_> as ::core::convert::From<[_; #length]>>::from([#(#elements),*]))
        }
        (Kind::Object(entries), Type::Struct(ident)) => {
            let declared = file.structs.iter().find(|it| it.ident == *ident);
            let fields = declared.into_iter().flat_map(|it| &it.fields).filter_map(|field| {
                let value = &entries.iter().find(|entry| entry.key == field.key)?.value;
                let (ident, value) = (&field.ident, expression(ecs, file, value, &field.ty));
                Some(quote!(#ident: #value))
            });
            quote!(#ident { #(#fields),* })
        }
        _ => TokenStream::new(),
    }
}

/// The minus sign and the digits, separately: a literal token has no sign.
fn sign_of(digits: &str) -> (Option<TokenStream>, &str) {
    match digits.strip_prefix('-') {
        Some(digits) => (Some(quote!(-)), digits),
        None => (None, digits),
    }
}
