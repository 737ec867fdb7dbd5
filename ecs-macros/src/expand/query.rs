//! The impls of a query struct: each forwards to the tuple of its fields.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericParam, WherePredicate, parse_quote};

use super::tuple::nest;
use crate::model::bundle::variable;
use crate::model::query::Query;

/// Where a mistake was reported (`broken`), the items are never made, so that it stays the only message.
pub(crate) fn expand(query: &Query, broken: bool) -> TokenStream {
    if query.not_a_struct.is_some() {
        return TokenStream::new();
    }
    let inner = inner(query);
    let impls = [
        of_data(query, &inner, broken),
        of_query_data(query, &inner),
        of_read_data(query),
        of_borrows(query, &inner),
    ];
    quote! {
        const _: () = {
            #(#impls)*
        };
    }
}

/// The fields as one query element.
fn inner(query: &Query) -> TokenStream {
    let ecs = &query.ecs;
    if query.fields.is_empty() {
        return quote!((#ecs::Entity,));
    }
    let elements: Vec<TokenStream> = query
        .fields
        .iter()
        .map(|field| {
            let element = field.element();
            quote!(#element)
        })
        .collect();
    nest(&elements)
}

fn of_data(query: &Query, inner: &TokenStream, broken: bool) -> TokenStream {
    let ecs = &query.ecs;
    let generics = query.generics(&[], &[]);
    let (parameters, _, clause) = generics.split_for_impl();
    let (subject, item, at) = (query.ty(None), query.ty(Some("'__q")), item(query, inner, broken));
    quote! {
        #[automatically_derived]
        unsafe impl #parameters #ecs::Data for #subject #clause {
            type Columns = <#inner as #ecs::Data>::Columns;
            type Base = <#inner as #ecs::Data>::Base;
            type Item<'__q> = #item;
            const WORDS: usize = <#inner as #ecs::Data>::WORDS;
            const REQUIRED: bool = <#inner as #ecs::Data>::REQUIRED;
            #[inline(always)]
            fn words(columns: Self::Columns) -> usize {
                <#inner as #ecs::Data>::words(columns)
            }
            #[inline(always)]
            unsafe fn mask(columns: Self::Columns, word: usize) -> u64 {
                unsafe { <#inner as #ecs::Data>::mask(columns, word) }
            }
            #[inline(always)]
            unsafe fn base(columns: Self::Columns, word: usize) -> Self::Base {
                unsafe { <#inner as #ecs::Data>::base(columns, word) }
            }
            #[inline(always)]
            unsafe fn at<'__q>(base: Self::Base, i: usize) -> Self::Item<'__q> {
                #at
            }
        }
    }
}

/// The body that makes the struct out of the tuple's item.
fn item(query: &Query, inner: &TokenStream, broken: bool) -> TokenStream {
    let Query { ecs, ident, fields, .. } = query;
    if broken {
        return quote! {
            let _ = (base, i);
            ::core::unreachable!()
        };
    }
    let values: Vec<TokenStream> = (0..fields.len())
        .map(|index| {
            let value = variable(index);
            quote!(#value)
        })
        .collect();
    let pattern = nest(&values);
    let members = fields.iter().zip(&values).map(|(field, value)| {
        let member = &field.member;
        quote!(#member: #value)
    });
    quote! {
        let #pattern = unsafe { <#inner as #ecs::Data>::at::<'__q>(base, i) };
        #ident { #(#members),* }
    }
}

fn of_query_data(query: &Query, inner: &TokenStream) -> TokenStream {
    let ecs = &query.ecs;
    let bound: WherePredicate = parse_quote!(#inner: #ecs::QueryData<__W>);
    let generics = query.generics(&[parse_quote!(__W: #ecs::World)], &[bound]);
    let (parameters, _, clause) = generics.split_for_impl();
    let subject = query.ty(None);
    quote! {
        #[automatically_derived]
        unsafe impl #parameters #ecs::QueryData<__W> for #subject #clause {
            const ACCESS: #ecs::Access = <#inner as #ecs::QueryData<__W>>::ACCESS;
            #[inline(always)]
            unsafe fn columns(world: #ecs::WorldCell<'_, __W>) -> Self::Columns {
                unsafe { <#inner as #ecs::QueryData<__W>>::columns(world) }
            }
        }
    }
}

/// Only where no field is seen to write. One may write all the same, behind an alias: the bound decides then, and it
/// names the struct's lifetime, so that being unfulfilled is no error by itself.
fn of_read_data(query: &Query) -> TokenStream {
    if query.writes() || query.fields.is_empty() {
        return TokenStream::new();
    }
    let ecs = &query.ecs;
    let types = query.fields.iter().map(|field| &field.ty);
    let inner = nest(&types.map(|ty| quote!(#ty)).collect::<Vec<_>>());
    let bound: WherePredicate = parse_quote!(#inner: #ecs::ReadData);
    let generics = query.generics(&[], &[bound]);
    let (parameters, _, clause) = generics.split_for_impl();
    let subject = query.ty(None);
    quote! {
        #[automatically_derived]
        unsafe impl #parameters #ecs::ReadData for #subject #clause {}
    }
}

fn of_borrows(query: &Query, inner: &TokenStream) -> TokenStream {
    let ecs = &query.ecs;
    let bound: WherePredicate = parse_quote!(#inner: #ecs::__private::Borrows<__W, __S>);
    let more: [GenericParam; 2] = [parse_quote!(__W: #ecs::World), parse_quote!(__S)];
    let generics = query.generics(&more, &[bound]);
    let (parameters, _, clause) = generics.split_for_impl();
    let subject = query.ty(None);
    quote! {
        #[automatically_derived]
        impl #parameters #ecs::__private::Borrows<__W, __S> for #subject #clause {
            type Out = <#inner as #ecs::__private::Borrows<__W, __S>>::Out;
        }
    }
}
