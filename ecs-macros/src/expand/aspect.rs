//! The impls of an aspect: those of a bundle, the tree of its components, its default values, and
//! the checks for duplicates.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Type, WherePredicate, parse_quote};

use crate::model::aspect::{Aspect, written};
use crate::model::bundle::shown;
use crate::names::{allow, source};
use crate::parse::aspect::Settings;
use crate::span::{Ends, at};

pub(crate) fn expand(aspect: &Aspect) -> TokenStream {
    let Some(of_bundle) = super::bundle::impls(&aspect.bundle) else { return TokenStream::new() };
    if aspect.bundle.broken {
        let (allow, of_aspect) = (allow(), of_broken(aspect));
        return quote!(#allow const _: () = { #of_bundle #of_aspect };);
    }
    let impls = [of_part(aspect), of_fresh(aspect), of_aspect(aspect), checks(aspect)];
    let allow = allow();
    quote! {
        #allow
        const _: () = {
            #of_bundle
            #(#impls)*
        };
    }
}

/// Impls without parts: uses of an aspect with a reported mistake cause no further messages.
fn of_broken(aspect: &Aspect) -> TokenStream {
    let (ecs, subject) = (&aspect.bundle.ecs, &aspect.bundle.subject);
    let (name, identity) = (subject.name(), subject.identity(ecs));
    let (parameters, clause) = subject.generics(TokenStream::new(), &[]);
    quote! {
        impl #parameters #ecs::__private::AspectPart for #subject #clause {
            const PART: #ecs::__private::Part =
                #ecs::__private::Part::Aspect(&#ecs::__private::Tree { identity: #identity, fields: &[] });
        }
        impl #parameters #ecs::__private::Fresh for #subject #clause {
            fn make() -> Self {
                ::core::unreachable!()
            }
        }
        impl #parameters #ecs::Aspect for #subject #clause {
            const ASPECT_NAME: &'static ::core::primitive::str = #name;
        }
    }
}

fn of_aspect(aspect: &Aspect) -> TokenStream {
    let (ecs, subject) = (&aspect.bundle.ecs, &aspect.bundle.subject);
    let name = subject.name();
    let predicates: Vec<WherePredicate> =
        if subject.is_generic() { vec![parse_quote!(Self: #ecs::__private::Fresh)] } else { Vec::new() };
    let docs = super::described::constant(ecs, subject, &format_ident!("ASPECT_DOCS"));
    let (parameters, clause) = subject.generics(TokenStream::new(), &predicates);
    quote! {
        impl #parameters #ecs::Aspect for #subject #clause {
            const ASPECT_NAME: &'static ::core::primitive::str = #name;
            #docs
        }
    }
}

/// The constant that a field is accessed through: of `AspectPart` if the field has a `default`,
/// else of `Fresh`. All uses have the same tokens and spans, so that the compiler reports a missing
/// impl once.
fn of_field(aspect: &Aspect, ty: &Type, settings: &Settings) -> TokenStream {
    let (ecs, ends) = (&aspect.bundle.ecs, Ends::of(ty));
    let item = if settings.default.is_some() { format_ident!("PART") } else { format_ident!("DEFAULT_PART") };
    let of_trait = of_trait(settings);
    let open = at(quote!(<), ends.first);
    let close = at(quote!(as #ecs::__private::#of_trait>::#item), ends.last);
    quote!(#open #ty #close)
}

fn of_trait(settings: &Settings) -> Ident {
    if settings.default.is_some() { format_ident!("AspectPart") } else { format_ident!("Fresh") }
}

/// The bounds of a generic aspect on the types of its fields.
fn predicates(aspect: &Aspect, of_trait: impl Fn(&Settings) -> Ident) -> Vec<WherePredicate> {
    let (ecs, subject) = (&aspect.bundle.ecs, &aspect.bundle.subject);
    let fields = aspect.bundle.fields.iter().zip(&aspect.settings).filter(|_| subject.is_generic());
    fields
        .map(|(field, settings)| {
            let (ty, of_trait) = (&field.ty, of_trait(settings));
            let bound = at(quote!(#ecs::__private::#of_trait), Ends::of(ty).first);
            parse_quote!(#ty: #bound)
        })
        .collect()
}

/// The tree of all components and aspects in the aspect, as a constant.
fn of_part(aspect: &Aspect) -> TokenStream {
    let (ecs, subject) = (&aspect.bundle.ecs, &aspect.bundle.subject);
    let identity = subject.identity(ecs);
    let predicates = predicates(aspect, |_| format_ident!("AspectPart"));
    let fields = aspect.bundle.fields.iter().zip(&aspect.settings).map(|(field, settings)| {
        let (name, ty) = (shown(&field.member), source(&field.ty));
        let part = if subject.is_generic() {
            let ty = &field.ty;
            quote!(<#ty as #ecs::__private::AspectPart>::PART)
        } else {
            let (constant, is_fresh) = (of_field(aspect, &field.ty, settings), settings.default.is_none());
            let part = is_fresh.then(|| quote!(.part));
            quote!(#constant #part)
        };
        let default = match settings.default.as_ref().map(written) {
            Some(text) => quote!(::core::option::Option::Some(#text)),
            None => quote!(::core::option::Option::None),
        };
        let overrides = settings.overrides.iter().map(|it| {
            let (path, value) = (format!(".{}", it.path.join(".")), written(&it.value));
            quote!((#path, #value))
        });
        quote!(#ecs::__private::AspectTreeField {
            name: #name,
            ty: #ty,
            part: #part,
            default: #default,
            overrides: &[#(#overrides),*],
        })
    });
    let (parameters, clause) = subject.generics(TokenStream::new(), &predicates);
    quote! {
        impl #parameters #ecs::__private::AspectPart for #subject #clause {
            const PART: #ecs::__private::Part = #ecs::__private::Part::Aspect(&#ecs::__private::Tree {
                identity: #identity,
                fields: &[#(#fields),*],
            });
        }
    }
}

/// `Fresh`, which makes each field, then assigns its overrides in source order.
fn of_fresh(aspect: &Aspect) -> TokenStream {
    let (ecs, subject) = (&aspect.bundle.ecs, &aspect.bundle.subject);
    let predicates = predicates(aspect, of_trait);
    // hygiene hides the variables from the user's expressions
    let variable = |index: usize| Ident::new(&format!("__f{index}"), Span::mixed_site());
    let fields = || aspect.bundle.fields.iter().zip(&aspect.settings).enumerate();
    let statements = fields().map(|(index, (field, settings))| {
        let (ty, variable) = (&field.ty, variable(index));
        let value = match &settings.default {
            Some(value) => quote!(#value),
            None => {
                let constant = of_field(aspect, ty, settings);
                quote!((#constant.make)())
            }
        };
        let mutable = (!settings.overrides.is_empty()).then(|| quote!(mut));
        let overrides = settings.overrides.iter().map(|it| {
            let (path, value) = (&it.tokens, &it.value);
            quote!(#variable #path = #value;)
        });
        quote! {
            let #mutable #variable: #ty = #value;
            #(#overrides)*
        }
    });
    let members = fields().map(|(index, (field, _))| {
        let (member, variable) = (&field.member, variable(index));
        quote!(#member: #variable)
    });
    let (parameters, clause) = subject.generics(TokenStream::new(), &predicates);
    quote! {
        impl #parameters #ecs::__private::Fresh for #subject #clause {
            fn make() -> Self {
                #(#statements)*
                Self { #(#members),* }
            }
        }
    }
}

/// Checks each field against the fields before it, except for fields that `check` has reported. A
/// generic aspect is checked where another aspect contains it.
fn checks(aspect: &Aspect) -> TokenStream {
    let (ecs, subject) = (&aspect.bundle.ecs, &aspect.bundle.subject);
    if subject.is_generic() {
        return TokenStream::new();
    }
    let fields = aspect.bundle.fields.iter().enumerate().filter(|(_, field)| field.same_as.is_none());
    let checks = fields.map(|(index, field)| {
        let call = Ends::of(&field.ty).call(ecs, &["check_field"], subject, quote!(#index));
        quote!(const _: () = #call;)
    });
    quote!(#(#checks)*)
}
