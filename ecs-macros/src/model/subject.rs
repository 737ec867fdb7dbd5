//! The type that a derive is written on, and the generics that its impls need.
//!
//! Data in a world lives as long as the world, so a lifetime parameter is an error; the impls are written for
//! `'static` then, so that the one mistake does not become several.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{DeriveInput, GenericParam, Generics, Lifetime, WherePredicate, parse_quote};

use crate::lifetimes;
use crate::names::{Ecs, text};

/// A type with its generics.
pub(crate) struct Subject {
    pub(crate) ident: Ident,
    /// The lifetime parameters, which owned data must not have.
    pub(crate) lifetimes: Vec<Lifetime>,
    /// The other parameters, without defaults.
    parameters: Vec<GenericParam>,
    predicates: Vec<WherePredicate>,
    ty: TokenStream,
}

impl Subject {
    pub(crate) fn new(item: &DeriveInput) -> Self {
        let lifetimes = item.generics.lifetimes().map(|parameter| parameter.lifetime.clone()).collect();
        let parameters = item.generics.params.iter().filter_map(owned_parameter).collect();
        let clauses = item.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let predicates = clauses.map(lifetimes::static_predicate).collect();
        let ident = item.ident.clone();
        let arguments: Vec<TokenStream> = item.generics.params.iter().map(argument).collect();
        let ty = if arguments.is_empty() { quote!(#ident) } else { quote!(#ident<#(#arguments),*>) };
        Self { ident, lifetimes, parameters, predicates, ty }
    }

    /// The name for messages and for `NAME`.
    pub(crate) fn name(&self) -> String {
        text(&self.ident)
    }

    /// Which type it is, for constants: its name, and where the derive stands.
    pub(crate) fn identity(&self, ecs: &Ecs) -> TokenStream {
        let (name, generic) = (self.name(), self.is_generic());
        quote!(#ecs::__private::Identity {
            name: #name,
            module: ::core::module_path!(),
            line: ::core::line!(),
            column: ::core::column!(),
            generic: #generic,
        })
    }

    /// Whether the type has type or const parameters.
    pub(crate) fn is_generic(&self) -> bool {
        !self.parameters.is_empty()
    }

    /// The generics of an impl: the type's own, then `more`; and the where clause with `predicates` added.
    pub(crate) fn generics(&self, more: &[GenericParam], predicates: &[WherePredicate]) -> Generics {
        let mut generics = Generics::default();
        generics.params.extend(self.parameters.iter().chain(more).cloned());
        let predicates = self.predicates.iter().chain(predicates);
        generics.make_where_clause().predicates.extend(predicates.cloned());
        generics
    }

    /// The bound that every impl for a generic component needs.
    pub(crate) fn owned_data(&self) -> Option<WherePredicate> {
        let ty = &self.ty;
        self.is_generic().then(|| parse_quote!(#ty: ::core::marker::Send + ::core::marker::Sync + 'static))
    }
}

impl ToTokens for Subject {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.ty.to_tokens(tokens);
    }
}

/// The parameter as an impl declares it; lifetimes are left out.
fn owned_parameter(parameter: &GenericParam) -> Option<GenericParam> {
    let mut parameter = parameter.clone();
    match &mut parameter {
        GenericParam::Lifetime(_) => return None,
        GenericParam::Type(ty) => {
            ty.attrs.clear();
            ty.eq_token = None;
            ty.default = None;
        }
        GenericParam::Const(constant) => {
            constant.attrs.clear();
            constant.eq_token = None;
            constant.default = None;
        }
    }
    lifetimes::static_parameter(&mut parameter);
    Some(parameter)
}

/// The parameter as an argument of the type.
fn argument(parameter: &GenericParam) -> TokenStream {
    match parameter {
        GenericParam::Lifetime(_) => quote!('static),
        GenericParam::Type(ty) => ty.ident.to_token_stream(),
        GenericParam::Const(constant) => constant.ident.to_token_stream(),
    }
}
