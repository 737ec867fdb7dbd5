//! The impls of a bundle: the components of its fields, and the proof that they are distinct.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Path, WherePredicate, parse_quote};

use super::tuple::nest;
use crate::model::bundle::{Bundle, Field, variable};
use crate::names::allow;
use crate::span::{Ends, at};

pub(crate) fn expand(bundle: &Bundle) -> TokenStream {
    let (Some(impls), allow) = (impls(bundle), allow()) else { return TokenStream::new() };
    quote! {
        #allow
        const _: () = {
            #impls
        };
    }
}

/// The impls, where there can be any.
pub(super) fn impls(bundle: &Bundle) -> Option<TokenStream> {
    if !bundle.subject.lifetimes.is_empty() {
        return None;
    }
    if bundle.broken {
        return Some(of_broken(bundle));
    }
    if bundle.fields.is_empty() {
        return None;
    }
    let (of_parts, of_bundle) = (of_parts(bundle), of_bundle(bundle));
    Some(quote! {
        #of_parts
        #of_bundle
    })
}

/// Impls for every world that panic when called: uses of a bundle with a reported mistake cause no
/// further messages.
fn of_broken(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, .. } = bundle;
    let of_world = subject.generics(&[parse_quote!(__W: #ecs::World)], &[]);
    let (of_world, _, clause) = of_world.split_for_impl();
    quote! {
        impl #of_world #ecs::Bundle<__W> for #subject #clause {
            type Replaced = ();
        }
        impl #of_world #ecs::__private::IntoComponents<__W> for #subject #clause {
            type BundleComponents = ();
            fn into_components(self) -> () {
                ::core::unreachable!()
            }
            fn from_components(_: ()) -> Self {
                ::core::unreachable!()
            }
        }
    }
}

/// A type is a bundle of a world if its components are distinct: the bounds add those of one field
/// after another to the type-level set of components.
fn of_bundle(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, fields, .. } = bundle;
    let (mut predicates, mut set) =
        (of_fields(bundle, &parse_quote!(Bundle)), quote!(#ecs::__private::EmptySet));
    for Field { ty, .. } in fields.iter().filter(|field| field.same_as.is_none()) {
        let distinct = at(quote!(#ecs::__private::DistinctBundle), Ends::of(ty).first);
        let distinct = quote!(#distinct<__W, #set, <#ty as #ecs::Bundle<__W>>::Replaced>);
        predicates.push(parse_quote!(#ty: #distinct));
        set = quote!(<#ty as #distinct>::Out);
    }
    let generics = subject.generics(&[parse_quote!(__W: #ecs::World)], &predicates);
    let (parameters, _, clause) = generics.split_for_impl();
    let of_trait = at(quote!(#ecs::Bundle<__W>), subject.ident.span());
    quote! {
        impl #parameters #of_trait for #subject #clause {
            type Replaced = #ecs::__private::BundleOptions<__W, Self>;
        }
    }
}

/// The bounds of the fields: each is a component or a bundle.
fn of_fields(bundle: &Bundle, of_trait: &Path) -> Vec<WherePredicate> {
    let Bundle { ecs, fields, .. } = bundle;
    let fields = fields.iter().filter(|field| field.same_as.is_none()); // the others were reported
    let bounds = fields.map(|Field { ty, .. }| {
        let of_trait = at(quote!(#ecs::#of_trait<__W>), Ends::of(ty).first);
        parse_quote!(#ty: #of_trait)
    });
    bounds.collect()
}

/// The components of a bundle are the components of its fields.
fn of_parts(bundle: &Bundle) -> TokenStream {
    let Bundle { ecs, subject, fields, .. } = bundle;
    let of_trait = quote!(#ecs::__private::IntoComponents<__W>);
    let predicates = of_fields(bundle, &parse_quote!(__private::IntoComponents));
    let generics = subject.generics(&[parse_quote!(__W: #ecs::World)], &predicates);
    let (parameters, _, clause) = generics.split_for_impl();
    let each = |make: &dyn Fn(&Field, syn::Ident) -> TokenStream| -> Vec<TokenStream> {
        fields.iter().enumerate().map(|(index, field)| make(field, variable(index))).collect()
    };
    let members = each(&|Field { member, .. }, value| quote!(#member: #value));
    let parts = nest(&each(&|Field { ty, .. }, _| quote!(<#ty as #of_trait>::BundleComponents)));
    let pattern = nest(&each(&|_, value| quote!(#value)));
    let into =
        nest(&each(&|_, value| quote!(#ecs::__private::IntoComponents::<__W>::into_components(#value))));
    let from = each(
        &|Field { member, .. }, value| quote!(#member: #ecs::__private::IntoComponents::<__W>::from_components(#value)),
    );
    quote! {
        impl #parameters #of_trait for #subject #clause {
            type BundleComponents = #parts;
            #[inline]
            fn into_components(self) -> Self::BundleComponents {
                let Self { #(#members),* } = self;
                #into
            }
            #[inline]
            fn from_components(parts: Self::BundleComponents) -> Self {
                let #pattern = parts;
                Self { #(#from),* }
            }
        }
    }
}
