//! The type with the derive, and the generics of its impls.
//!
//! Data in a world lives as long as the world, so a lifetime parameter is an error. The impls then
//! use `'static`, so that one mistake gives one message.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{DeriveInput, GenericParam, Generics, Lifetime, WhereClause, WherePredicate, parse_quote};

use super::docs;
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
    arguments: Vec<TokenStream>,
    /// The documentation of the type and its parts, by path.
    pub(crate) docs: Vec<(String, String)>,
}

/// The generics of an impl: the parameters before the trait, and the where clause.
pub(crate) enum Head {
    /// For a type without generics: the impl's own parameters, unparsed.
    Plain(TokenStream),
    Generic(Generics),
}

impl Head {
    pub(crate) fn parameters(&self) -> TokenStream {
        match self {
            Self::Plain(more) => quote!(<#more>),
            Self::Generic(generics) => generics.split_for_impl().0.into_token_stream(),
        }
    }

    pub(crate) fn clause(&self) -> Option<&WhereClause> {
        match self {
            Self::Plain(_) => None,
            Self::Generic(generics) => generics.where_clause.as_ref(),
        }
    }
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

    /// The generics of an impl: the type's own, then `more`, and the where clause with
    /// `predicates`.
    pub(crate) fn generics(&self, more: &[GenericParam], predicates: &[WherePredicate]) -> Generics {
        let mut generics = Generics::default();
        generics.params.extend(self.parameters.iter().chain(more).cloned());
        let predicates = self.predicates.iter().chain(predicates);
        generics.make_where_clause().predicates.extend(predicates.cloned());
        generics
    }

    /// Like [`Subject::generics`], but without parsing `more` for a type without generics.
    pub(crate) fn head(&self, more: TokenStream, predicates: &[WherePredicate]) -> Head {
        if self.parameters.is_empty() && self.predicates.is_empty() && predicates.is_empty() {
            return Head::Plain(more);
        }
        let more: Generics = parse_quote!(<#more>);
        Head::Generic(self.generics(&more.params.into_iter().collect::<Vec<_>>(), predicates))
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
