//! A struct of parameters: its fields, and its generics.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{DeriveInput, GenericParam, Generics, Lifetime, Member, Type, WherePredicate};

use super::bundle::{NotAStruct, fields};
use crate::built_in::{BuiltIn, Role};
use crate::lifetimes;
use crate::names::{Ecs, text};
use crate::parse::derive::Derive;

/// A field.
pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
}

/// A struct whose fields are parameters.
pub(crate) struct SystemParam {
    pub(crate) ecs: Ecs,
    pub(crate) ident: Ident,
    pub(crate) fields: Vec<Field>,
    /// The keyword of an item that is not a struct.
    pub(crate) not_a_struct: NotAStruct,
    generics: Generics,
}

impl SystemParam {
    pub(crate) fn new(parsed: Derive) -> Self {
        let Derive { item, ecs, .. } = parsed;
        let (fields, not_a_struct) = fields(&item.data);
        let fields = fields.into_iter().map(|(member, ty)| Field { member, ty }).collect();
        let DeriveInput { ident, generics, .. } = item;
        Self { ecs, ident, fields, not_a_struct, generics }
    }

    /// The name for messages.
    pub(crate) fn name(&self) -> String {
        text(&self.ident)
    }

    /// The struct's lifetime parameters.
    pub(crate) fn lifetimes(&self) -> Vec<Lifetime> {
        self.generics.lifetimes().map(|parameter| parameter.lifetime.clone()).collect()
    }

    /// Whether a field leaves out the lifetime of a parameter, which the compiler reports for the
    /// struct.
    pub(crate) fn leaves_out_a_lifetime(&self) -> bool {
        self.fields.iter().any(|field| {
            BuiltIn::of(&field.ty).is_some_and(|(built_in, _)| built_in.role == Role::Parameter)
                && lifetimes::first_of_path(&field.ty).is_none()
        })
    }

    /// The type of a field with the lifetime `by` for those of the struct.
    pub(crate) fn of_field(&self, field: &Field, by: &str) -> Type {
        lifetimes::replaced(&field.ty, &self.lifetimes(), by)
    }

    /// The generics of an impl: the struct's own without defaults, then the world `__W`, and
    /// `predicates` in the where clause.
    pub(crate) fn generics(&self, predicates: Vec<WherePredicate>) -> Generics {
        let ecs = &self.ecs;
        let mut generics = self.generics.clone();
        for parameter in &mut generics.params {
            match parameter {
                GenericParam::Type(ty) => ty.default = None,
                GenericParam::Const(constant) => constant.default = None,
                GenericParam::Lifetime(_) => {}
            }
        }
        generics.params.push(syn::parse_quote!(__W: #ecs::World));
        generics.make_where_clause().predicates.extend(predicates);
        generics
    }

    /// The struct with the lifetime `by`, or with its own.
    pub(crate) fn ty(&self, by: Option<&str>) -> TokenStream {
        let ident = &self.ident;
        let arguments: Vec<TokenStream> = self
            .generics
            .params
            .iter()
            .map(|parameter| match (parameter, by) {
                (GenericParam::Lifetime(parameter), None) => parameter.lifetime.to_token_stream(),
                (GenericParam::Lifetime(_), Some(by)) => {
                    Lifetime::new(by, Span::call_site()).to_token_stream()
                }
                (GenericParam::Type(ty), _) => ty.ident.to_token_stream(),
                (GenericParam::Const(constant), _) => constant.ident.to_token_stream(),
            })
            .collect();
        if arguments.is_empty() { quote!(#ident) } else { quote!(#ident<#(#arguments),*>) }
    }
}
