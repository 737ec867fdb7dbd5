//! The impl of a meta-aspect, which tries one variant after the other.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, WherePredicate, parse_quote};

use crate::model::meta_aspect::{Content, MetaAspect};
use crate::names::{allow, source, text};
use crate::span::{Ends, at};

pub(crate) fn expand(meta: &MetaAspect) -> TokenStream {
    let alternatives: Option<Vec<(&Ident, &Content)>> =
        meta.alternatives.iter().map(|it| Some((&it.ident, it.content.as_ref()?))).collect();
    let Some(alternatives) = alternatives.filter(|all| !all.is_empty() && meta.subject.lifetimes.is_empty())
    else {
        return TokenStream::new();
    };
    let (of_meta, checks, allow) = (of_meta(meta, &alternatives), checks(meta), allow());
    quote! {
        #allow
        const _: () = {
            #of_meta
            #checks
        };
    }
}

fn of_meta(meta: &MetaAspect, alternatives: &[(&Ident, &Content)]) -> TokenStream {
    let MetaAspect { ecs, subject, .. } = meta;
    let name = subject.name();
    let spelled = alternatives.iter().map(|(_, content)| content.spelled());
    let mut seen = HashSet::new();
    let mut predicates: Vec<WherePredicate> = Vec::new();
    for (_, content) in alternatives {
        let bundle = content.all().map(|ty| (ty, quote!(#ecs::Bundle<__W>)));
        let meta = content.one_of().map(|ty| (ty, quote!(#ecs::MetaAspect<__W>)));
        for (ty, bound) in bundle.into_iter().chain(meta) {
            // by their tokens: `syn` compares types only with its feature `extra-traits`, which
            // takes longer to compile
            if seen.insert(source(ty)) {
                let bound = at(bound, Ends::of(ty).first);
                predicates.push(parse_quote!(#ty: #bound));
            }
        }
    }
    let (parameters, clause) = subject.generics(quote!(__W: #ecs::World), &predicates);
    let is_in = alternatives.iter().map(|(_, content)| match content {
        Content::All(all) => quote!(#ecs::__private::has_all::<__W, #all>(world, entity)),
        Content::OneOf(one_of) => quote!(<#one_of as #ecs::MetaAspect<__W>>::is_in(world, entity)),
        Content::Both { all, one_of, .. } => quote! {
            (#ecs::__private::has_all::<__W, #all>(world, entity)
                && <#one_of as #ecs::MetaAspect<__W>>::is_in(world, entity))
        },
    });
    let take = alternatives.iter().map(|(variant, content)| {
        let taken = match content {
            Content::All(all) => {
                quote!(::core::result::Result::Ok(one) = #ecs::world::MoveComponents::try_remove::<#all>(world, entity))
            }
            Content::OneOf(one_of) => quote! {
                ::core::option::Option::Some(one) = <#one_of as #ecs::MetaAspect<__W>>::take_from(world, entity)
            },
            Content::Both { all, one_of, .. } => quote! {
                ::core::option::Option::Some((all, one)) =
                    #ecs::__private::take_both::<__W, #all, #one_of>(world, entity)
            },
        };
        let value = value(variant, content);
        quote!(if let #taken { return ::core::option::Option::Some(#value); })
    });
    let add = alternatives.iter().map(|(variant, content)| {
        let added = match content {
            Content::All(all) => quote!(#ecs::World::insert_if_new::<#all>(world, entity, one)),
            Content::OneOf(one_of) => quote!(<#one_of as #ecs::MetaAspect<__W>>::add_to(one, world, entity)),
            Content::Both { all, one_of, .. } => {
                quote!(#ecs::__private::add_both::<__W, #all, #one_of>(world, entity, all, one))
            }
        };
        let value = value(variant, content);
        quote!(#value => #added,)
    });
    let of_trait = at(quote!(#ecs::MetaAspect<__W>), subject.ident.span());
    quote! {
        impl #parameters #of_trait for #subject #clause {
            const META_ASPECT_NAME: &'static ::core::primitive::str = #name;
            const ALTERNATIVES: &'static [&'static ::core::primitive::str] = &[#(#spelled),*];
            fn is_in(world: &__W, entity: #ecs::Entity) -> ::core::primitive::bool {
                #(#is_in)||*
            }
            fn take_from(world: &mut __W, entity: #ecs::Entity) -> ::core::option::Option<Self> {
                #(#take)*
                ::core::option::Option::None
            }
            fn add_to(
                self,
                world: &mut __W,
                entity: #ecs::Entity,
            ) -> ::core::result::Result<(), #ecs::__private::PresentError> {
                match self {
                    #(#add)*
                }
            }
        }
    }
}

/// The variant with its content, in the variables `all` and `one`.
fn value(variant: &Ident, content: &Content) -> TokenStream {
    match content {
        Content::All(_) | Content::OneOf(_) => quote!(Self::#variant(one)),
        Content::Both { swapped: false, .. } => quote!(Self::#variant(all, one)),
        Content::Both { swapped: true, .. } => quote!(Self::#variant(one, all)),
    }
}

/// Checks that each variant holds an aspect or a component, and that no earlier variant matches
/// whenever it does. Generic variants and variants with `#[one_of]` are not compared.
fn checks(meta: &MetaAspect) -> TokenStream {
    let MetaAspect { ecs, subject, .. } = meta;
    if subject.is_generic() {
        return TokenStream::new();
    }
    let name = subject.name();
    let plain = meta.alternatives.iter().filter_map(|it| match it.content.as_ref()? {
        Content::All(ty) => Some((it, ty)),
        _ => None,
    });
    let plain: Vec<_> = plain.collect();
    let parts = plain.iter().map(|(it, ty)| {
        let (variant, spelled, ends) = (text(&it.ident), source(ty), Ends::of(ty));
        let (open, close) =
            (at(quote!(<), ends.first), at(quote!(as #ecs::__private::AspectPart>::PART), ends.last));
        quote!(#ecs::__private::AspectTreeField {
            name: #variant,
            ty: #spelled,
            part: #open #ty #close,
            default: ::core::option::Option::None,
            overrides: &[],
        })
    });
    let later = plain.iter().enumerate().skip(1).filter(|(_, (it, _))| it.same_as.is_none());
    let checks = later.map(|(index, (_, ty))| {
        let ends = Ends::of(ty);
        let path = at(quote!(#ecs::__private::check_alternative), ends.first);
        let arguments = ends.group(proc_macro2::Delimiter::Parenthesis, quote!(#name, PARTS, #index));
        quote!(const _: () = #path #arguments;)
    });
    quote! {
        const PARTS: &[#ecs::__private::AspectTreeField] = &[#(#parts),*];
        #(#checks)*
    }
}
