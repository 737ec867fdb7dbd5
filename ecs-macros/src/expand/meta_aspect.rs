//! The impl of an enum of alternatives: one after the other is tried.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Type, WherePredicate, parse_quote};

use crate::model::meta_aspect::MetaAspect;
use crate::names::{allow, source, text};
use crate::span::{Ends, at};

pub(crate) fn expand(meta: &MetaAspect) -> TokenStream {
    let alternatives: Option<Vec<(&Ident, &Type)>> =
        meta.alternatives.iter().map(|it| Some((&it.ident, it.ty.as_ref()?))).collect();
    let Some(alternatives) = alternatives.filter(|all| !all.is_empty() && meta.subject.lifetimes.is_empty())
    else {
        return TokenStream::new();
    };
    let (of_meta, checks, allow) = (of_meta(meta, &alternatives), checks(meta, &alternatives), allow());
    quote! {
        #allow
        const _: () = {
            #of_meta
            #checks
        };
    }
}

fn of_meta(meta: &MetaAspect, alternatives: &[(&Ident, &Type)]) -> TokenStream {
    let MetaAspect { ecs, subject, .. } = meta;
    let name = subject.name();
    let spelled = alternatives.iter().map(|(_, ty)| source(ty));
    let mut seen = Vec::new();
    let predicates: Vec<WherePredicate> = alternatives
        .iter()
        .filter(|(_, ty)| {
            let is_new = !seen.contains(ty);
            seen.push(ty);
            is_new
        })
        .map(|(_, ty)| {
            let bundle = at(quote!(#ecs::Bundle<__W>), Ends::of(ty).first);
            parse_quote!(#ty: #bundle)
        })
        .collect();
    let generics = subject.generics(&[parse_quote!(__W: #ecs::World)], &predicates);
    let (parameters, _, clause) = generics.split_for_impl();
    let (variants, types): (Vec<_>, Vec<_>) = alternatives.iter().copied().unzip();
    let of_trait = at(quote!(#ecs::MetaAspect<__W>), subject.ident.span());
    quote! {
        impl #parameters #of_trait for #subject #clause {
            const NAME: &'static ::core::primitive::str = #name;
            const ALTERNATIVES: &'static [&'static ::core::primitive::str] = &[#(#spelled),*];
            fn is_in(world: &__W, entity: #ecs::Entity) -> ::core::primitive::bool {
                #(#ecs::__private::has_all::<__W, #types>(world, entity))||*
            }
            fn take_from(world: &mut __W, entity: #ecs::Entity) -> ::core::option::Option<Self> {
                #(
                    if let ::core::result::Result::Ok(one) = #ecs::World::try_remove::<#types>(world, entity) {
                        return ::core::option::Option::Some(Self::#variants(one));
                    }
                )*
                ::core::option::Option::None
            }
            fn add_to(
                self,
                world: &mut __W,
                entity: #ecs::Entity,
            ) -> ::core::result::Result<(), #ecs::PresentError> {
                match self {
                    #(Self::#variants(one) => #ecs::World::try_insert::<#types>(world, entity, one),)*
                }
            }
        }
    }
}

/// Each is an aspect or a component, and asks for something that none before it asks for alone. Of generic ones it is not
/// known what they are.
fn checks(meta: &MetaAspect, alternatives: &[(&Ident, &Type)]) -> TokenStream {
    let MetaAspect { ecs, subject, .. } = meta;
    if subject.is_generic() {
        return TokenStream::new();
    }
    let name = subject.name();
    let parts = alternatives.iter().map(|(variant, ty)| {
        let (variant, spelled, ends) = (text(variant), source(ty), Ends::of(*ty));
        let (open, close) =
            (at(quote!(<), ends.first), at(quote!(as #ecs::__private::AspectPart>::PART), ends.last));
        quote!(#ecs::__private::Field {
            name: #variant,
            ty: #spelled,
            part: #open #ty #close,
            default: ::core::option::Option::None,
            overrides: &[],
        })
    });
    let later = meta.alternatives.iter().enumerate().skip(1).filter(|(_, it)| it.same_as.is_none());
    let checks = later.filter_map(|(index, it)| {
        let ends = Ends::of(it.ty.as_ref()?);
        let path = at(quote!(#ecs::__private::check_alternative), ends.first);
        let arguments = ends.group(proc_macro2::Delimiter::Parenthesis, quote!(#name, PARTS, #index));
        Some(quote!(const _: () = #path #arguments;))
    });
    quote! {
        const PARTS: &[#ecs::__private::Field] = &[#(#parts),*];
        #(#checks)*
    }
}
