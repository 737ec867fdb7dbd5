//! The type with the derive, and the generics of its impls.
//!
//! Data in a world lives as long as the world, so a lifetime parameter is an error. The impls then
//! use `'static`, so that one mistake gives one message.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{DeriveInput, GenericParam, Lifetime, WherePredicate, parse_quote};

use super::docs;
use crate::lifetimes;
use crate::names::{Ecs, text};

/// The parameters of an impl, and its where clause.
pub(crate) type Impl = (TokenStream, TokenStream);

/// `<own, more>`; nothing without parameters.
pub(super) fn parameters(own: &[GenericParam], more: TokenStream) -> TokenStream {
    match (own, more.is_empty()) {
        ([], true) => more,
        ([], false) => quote!(<#more>),
        (own, true) => quote!(<#(#own),*>),
        (own, false) => quote!(<#(#own),*, #more>),
    }
}

/// `where ..`; nothing without predicates.
pub(super) fn clause<'p>(predicates: impl Iterator<Item = &'p WherePredicate> + Clone) -> TokenStream {
    if predicates.clone().next().is_some() { quote!(where #(#predicates),*) } else { TokenStream::new() }
}

/// A type with its generics.
pub(crate) struct Subject {
    pub(crate) ident: Ident,
    /// The lifetime parameters, which owned data must not have.
    pub(crate) lifetimes: Vec<Lifetime>,
    /// The other parameters, without defaults.
    parameters: Vec<GenericParam>,
    predicates: Vec<WherePredicate>,
    arguments: Vec<TokenStream>,
    /// The documentation of the type and its parts, by path.
    pub(crate) docs: Vec<(String, String)>,
}

impl Subject {
    pub(crate) fn new(item: &DeriveInput) -> Self {
        let lifetimes = item.generics.lifetimes().map(|parameter| parameter.lifetime.clone()).collect();
        let parameters = item.generics.params.iter().filter_map(owned_parameter).collect();
        let clauses = item.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let predicates = clauses.map(lifetimes::static_predicate).collect();
        let ident = item.ident.clone();
        let arguments = item.generics.params.iter().map(argument).collect();
        Self { ident, lifetimes, parameters, predicates, arguments, docs: docs::of(item) }
    }

    /// The name for messages and for `NAME`.
    pub(crate) fn name(&self) -> String {
        text(&self.ident)
    }

    /// The expression that identifies the type in constants, from its name and the position of the
    /// derive.
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

    /// The parameters of an impl, the type's own and then `more`, and its where clause with
    /// `predicates`.
    pub(crate) fn generics(&self, more: TokenStream, predicates: &[WherePredicate]) -> Impl {
        (parameters(&self.parameters, more), clause(self.predicates(predicates)))
    }

    /// [`Subject::generics`] with a lifetime before the type's own parameters.
    pub(crate) fn generics_behind(&self, lifetime: TokenStream, predicates: &[WherePredicate]) -> Impl {
        let own = &self.parameters;
        let more = if lifetime.is_empty() { quote!(#(#own),*) } else { quote!(#lifetime #(, #own)*) };
        (parameters(&[], more), clause(self.predicates(predicates)))
    }

    /// The type's own predicates, then `more`.
    pub(crate) fn predicates<'p>(
        &'p self,
        more: &'p [WherePredicate],
    ) -> impl Iterator<Item = &'p WherePredicate> + Clone {
        self.predicates.iter().chain(more)
    }

    /// The names of the type parameters.
    pub(crate) fn type_parameters(&self) -> impl Iterator<Item = &Ident> {
        self.parameters.iter().filter_map(|parameter| match parameter {
            GenericParam::Type(ty) => Some(&ty.ident),
            _ => None,
        })
    }

    /// The bound that every impl for a generic component needs.
    pub(crate) fn owned_data(&self) -> Option<WherePredicate> {
        self.is_generic().then(|| parse_quote!(#self: 'static))
    }
}

impl ToTokens for Subject {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.ident.to_tokens(tokens);
        if !self.arguments.is_empty() {
            let arguments = &self.arguments;
            quote!(<#(#arguments),*>).to_tokens(tokens);
        }
    }
}

/// The parameter as an impl declares it; lifetimes are left out.
fn owned_parameter(parameter: &GenericParam) -> Option<GenericParam> {
    let mut parameter = parameter.clone();
    match &mut parameter {
        GenericParam::Lifetime(_) => return None,
        GenericParam::Type(ty) => ty.attrs.clear(),
        GenericParam::Const(constant) => constant.attrs.clear(),
    }
    without_default(&mut parameter);
    lifetimes::static_parameter(&mut parameter);
    Some(parameter)
}

/// Removes the default of a parameter, which no impl may have.
pub(super) fn without_default(parameter: &mut GenericParam) {
    match parameter {
        GenericParam::Type(ty) => ty.default = None,
        GenericParam::Const(constant) => constant.default = None,
        GenericParam::Lifetime(_) => {}
    }
}

/// The parameter as an argument of the type.
fn argument(parameter: &GenericParam) -> TokenStream {
    match parameter {
        GenericParam::Lifetime(_) => quote!('static),
        GenericParam::Type(ty) => ty.ident.to_token_stream(),
        GenericParam::Const(constant) => constant.ident.to_token_stream(),
    }
}
