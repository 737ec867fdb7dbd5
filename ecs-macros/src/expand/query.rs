//! The impls of a query struct: each forwards to the tuple of its fields.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Type, WherePredicate, parse_quote};

use super::tuple::nest;
use crate::lifetimes;
use crate::model::bundle::variable;
use crate::model::field_struct::FieldStruct;
use crate::names::{allow, ungroup};
use crate::span::{Ends, at};

/// With `broken`, after a reported mistake, the bodies do not construct items, and the struct is its
/// own item in every loop, so that no second message follows.
pub(crate) fn expand(query: &FieldStruct, broken: bool) -> TokenStream {
    let inner = inner(query, broken);
    let impls = [
        of_data(query, &inner, broken),
        of_query_struct(query, &inner, broken),
        of_query_data(query, &inner),
        of_read_data(query, broken),
        of_borrows(query, &inner),
        of_chunk_data(query, &inner, broken),
        of_snapshot_data(query, &inner),
    ];
    let allow = allow();
    quote! {
        #allow
        const _: () = {
            #(#impls)*
        };
    }
}

/// The expansion of a reported derive for filters: a filter of every world, which no entity passes.
pub(crate) fn filter_stub(query: &FieldStruct) -> TokenStream {
    let (ecs, subject, allow) = (&query.ecs, query.ty(None), allow());
    let (parameters, clause) = query.generics(TokenStream::new(), &[]);
    let (of_world, of_clause) = query.generics(quote!(__W: #ecs::World), &[]);
    quote! {
        #allow
        const _: () = {
            unsafe impl #parameters #ecs::query::Filter for #subject #clause {
                type Columns = <() as #ecs::query::Filter>::Columns;
            }
            unsafe impl #of_world #ecs::__private::QueryFilter<__W> for #subject #of_clause {
                const ACCESS: #ecs::__private::Access = #ecs::__private::Access::NONE;
                const NEGATED: #ecs::__private::Access = #ecs::__private::Access::NONE;
                unsafe fn columns(_: #ecs::__private::WorldCell<'_, __W>) -> Self::Columns {
                    ::core::unreachable!()
                }
            }
        };
    }
}

/// The fields as one query element.
///
/// It has the span of the first type that may be wrong, so that a message about the tuple
/// underlines that type.
fn inner(query: &FieldStruct, broken: bool) -> TokenStream {
    let ecs = &query.ecs;
    if broken || query.fields.is_empty() {
        return quote!((#ecs::Entity,));
    }
    let elements: Vec<TokenStream> = query
        .fields
        .iter()
        .map(|field| lifetimes::written(&field.ty, "'static").into_token_stream())
        .collect();
    let doubtful = query.fields.iter().find(|field| !matches!(ungroup(&field.ty), Type::Reference(_)));
    let span = doubtful.map_or_else(Span::call_site, |field| Ends::of(&field.ty).generated().last);
    nest(&elements)
        .into_iter()
        .map(|mut tuple| {
            tuple.set_span(span);
            tuple
        })
        .collect()
}

/// A bound of the fields, with their span.
fn bound(inner: &TokenStream, of_trait: TokenStream) -> WherePredicate {
    let of_trait = at(of_trait, Ends::of(inner).first);
    parse_quote!(#inner: #of_trait)
}

fn of_data(query: &FieldStruct, inner: &TokenStream, broken: bool) -> TokenStream {
    let ecs = &query.ecs;
    let (parameters, clause) = query.generics(TokenStream::new(), &[]);
    let (subject, item_type) = (query.ty(None), query.ty(Some("'__q")));
    let read = if query.only_reads() || broken {
        quote!(Self)
    } else {
        quote!(<#inner as #ecs::__private::Data>::ReadOnly)
    };
    quote! {
        unsafe impl #parameters #ecs::__private::Data for #subject #clause {
            type Columns = <#inner as #ecs::__private::Data>::Columns;
            type Base = <#inner as #ecs::__private::Data>::Base;
            type Item<'__q> = #item_type;
            type ReadOnly = #read;
            const WORDS: ::core::primitive::usize = <#inner as #ecs::__private::Data>::WORDS;
            #[inline(always)]
            unsafe fn base(columns: Self::Columns, word: ::core::primitive::usize) -> Self::Base {
                unsafe { <#inner as #ecs::__private::Data>::base(columns, word) }
            }
            #[inline(always)]
            unsafe fn at<'__q>(base: Self::Base, i: ::core::primitive::usize) -> Self::Item<'__q> {
                let item = unsafe { <#inner as #ecs::__private::Data>::at::<'__q>(base, i) };
                <Self as #ecs::__private::QueryStruct>::assemble(item)
            }
        }
    }
}

/// The function that makes the struct out of the tuple's item. It has no bounds of the fields, so
/// that the compiler sees the item's type.
fn of_query_struct(query: &FieldStruct, inner: &TokenStream, broken: bool) -> TokenStream {
    let FieldStruct { ecs, ident, fields, .. } = query;
    let (parameters, clause) = query.generics(TokenStream::new(), &[]);
    let subject = query.ty(None);
    let body = if broken {
        quote! {
            let _ = item;
            ::core::unreachable!()
        }
    } else {
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
            let #pattern = item;
            #ident { #(#members),* }
        }
    };
    quote! {
        impl #parameters #ecs::__private::QueryStruct for #subject #clause {
            type Fields = #inner;
            #[inline(always)]
            fn assemble<'__q>(item: <#inner as #ecs::__private::Data>::Item<'__q>) -> Self::Item<'__q> {
                #body
            }
        }
    }
}

fn of_query_data(query: &FieldStruct, inner: &TokenStream) -> TokenStream {
    let ecs = &query.ecs;
    let bound = bound(inner, quote!(#ecs::__private::QueryData<__W>));
    let (parameters, clause) = query.generics(quote!(__W: #ecs::World), &[bound]);
    let subject = query.ty(None);
    quote! {
        unsafe impl #parameters #ecs::__private::QueryData<__W> for #subject #clause {
            const ACCESS: #ecs::__private::Access = <#inner as #ecs::__private::QueryData<__W>>::ACCESS;
            #[inline(always)]
            unsafe fn columns(world: #ecs::__private::WorldCell<'_, __W>) -> Self::Columns {
                unsafe { <#inner as #ecs::__private::QueryData<__W>>::columns(world) }
            }
        }
    }
}

/// `ReadData`, if no field writes by its tokens. A field may still write behind an alias: the bound
/// then fails, which is no error by itself, since the bound names the struct's lifetime.
fn of_read_data(query: &FieldStruct, broken: bool) -> TokenStream {
    let ecs = &query.ecs;
    if broken {
        let ((parameters, clause), subject) = (query.generics(TokenStream::new(), &[]), query.ty(None));
        return quote!(unsafe impl #parameters #ecs::__private::ReadData for #subject #clause {});
    }
    if query.writes() || query.fields.is_empty() {
        return TokenStream::new();
    }
    let own = query.lifetimes().first().map_or("'static".to_owned(), ToString::to_string);
    let types = query.fields.iter().map(|field| lifetimes::written(&field.ty, &own));
    let inner = nest(&types.map(|ty| quote!(#ty)).collect::<Vec<_>>());
    let bound: WherePredicate = parse_quote!(#inner: #ecs::__private::ReadData);
    let (parameters, clause) = query.generics(TokenStream::new(), &[bound]);
    let subject = query.ty(None);
    quote! {
        unsafe impl #parameters #ecs::__private::ReadData for #subject #clause {}
    }
}

/// `ChunkData`, if all fields have slices by their tokens: the slices of the fields, as a tuple.
fn of_chunk_data(query: &FieldStruct, inner: &TokenStream, broken: bool) -> TokenStream {
    if broken || !query.has_slices() {
        return TokenStream::new();
    }
    let (ecs, subject) = (&query.ecs, query.ty(None));
    let chunk_data = quote!(#ecs::__private::ChunkData);
    let (parameters, clause) = query.generics(TokenStream::new(), &[]);
    quote! {
        unsafe impl #parameters #chunk_data for #subject #clause {
            type Chunk<'__q> = <#inner as #chunk_data>::Chunk<'__q>;
            #[inline(always)]
            unsafe fn chunk<'__q>(
                base: Self::Base,
                from: ::core::primitive::usize,
                len: ::core::primitive::usize,
            ) -> Self::Chunk<'__q> {
                unsafe { <#inner as #chunk_data>::chunk(base, from, len) }
            }
        }
    }
}

fn of_borrows(query: &FieldStruct, inner: &TokenStream) -> TokenStream {
    let ecs = &query.ecs;
    let bound = bound(inner, quote!(#ecs::__private::Borrows<__W, __S>));
    let (parameters, clause) = query.generics(quote!(__W: #ecs::World, __S), &[bound]);
    let subject = query.ty(None);
    let empty = quote!(#ecs::__private::EmptySet);
    let itself = parse_quote!(#subject: #ecs::__private::Borrows<__W, #empty>);
    let (of_world, asked) = query.generics(quote!(__W: #ecs::World), &[itself]);
    quote! {
        impl #parameters #ecs::__private::Borrows<__W, __S> for #subject #clause {
            type Out = <#inner as #ecs::__private::Borrows<__W, __S>>::Out;
        }
        impl #of_world #ecs::WorldData<__W> for #subject #asked {}
    }
}

/// `SnapshotData`, if no field writes by its tokens.
fn of_snapshot_data(query: &FieldStruct, inner: &TokenStream) -> TokenStream {
    if query.writes() {
        return TokenStream::new();
    }
    let ecs = &query.ecs;
    let data = quote!(#ecs::__private::SnapshotData<__W>);
    let (parameters, clause) = query.generics(quote!(__W: #ecs::World), &[bound(inner, data.clone())]);
    let subject = query.ty(None);
    quote! {
        impl #parameters #data for #subject #clause {
            type Word<'__s> = <#inner as #data>::Word<'__s>;
            fn word(world: &__W, word: ::core::primitive::usize) -> Self::Word<'_> {
                <#inner as #data>::word(world, word)
            }
            fn mask(word: &Self::Word<'_>) -> ::core::primitive::u64 {
                <#inner as #data>::mask(word)
            }
            fn item<'__s>(word: &Self::Word<'__s>, bit: ::core::primitive::usize) -> Self::Item<'__s> {
                <Self as #ecs::__private::QueryStruct>::assemble(<#inner as #data>::item(word, bit))
            }
        }
    }
}
