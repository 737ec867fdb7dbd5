//! A struct whose fields borrow from a world: query data with names, or parameters of a system.
//!
//! Its lifetime is that of the borrow. The impls use `'static` for it in the types of fields, and a
//! lifetime of their own in items.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Data, Fields, GenericParam, Generics, Lifetime, Member, Type, WherePredicate};

use super::bundle::{NotAStruct, fields};
use super::subject::{Impl, clause, parameters, without_default};
use crate::lifetimes;
use crate::names::{Ecs, text};
use crate::parse::derive::Derive;

/// A field.
pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
}

/// A struct with `#[derive(Query)]` or `#[derive(SystemParam)]`.
pub(crate) struct FieldStruct {
    pub(crate) ecs: Ecs,
    pub(crate) ident: Ident,
    pub(crate) fields: Vec<Field>,
    /// The keyword of an item that is not a struct.
    pub(crate) not_a_struct: NotAStruct,
    /// Whether it is a tuple struct.
    pub(crate) unnamed: bool,
    generics: Generics,
}

impl FieldStruct {
    pub(crate) fn new(parsed: Derive) -> Self {
        let Derive { item, ecs, .. } = parsed;
        let (fields, not_a_struct) = fields(&item.data);
        let fields = fields.into_iter().map(|(member, ty)| Field { member, ty }).collect();
        let unnamed = matches!(item.data, Data::Struct(data) if matches!(data.fields, Fields::Unnamed(_)));
        Self { ecs, ident: item.ident, fields, not_a_struct, unnamed, generics: item.generics }
    }

    /// The name for messages.
    pub(crate) fn name(&self) -> String {
        text(&self.ident)
    }

    /// The struct's lifetime parameters.
    pub(crate) fn lifetimes(&self) -> Vec<Lifetime> {
        self.generics.lifetimes().map(|parameter| parameter.lifetime.clone()).collect()
    }

    /// The type of a field with the lifetime `by` for those of the struct.
    pub(crate) fn of_field(&self, field: &Field, by: &str) -> Type {
        lifetimes::replaced(&field.ty, &self.lifetimes(), by)
    }

    /// The parameters of an impl, the struct's own and then `more`, and its where clause with
    /// `predicates`.
    pub(crate) fn generics(&self, more: TokenStream, predicates: &[WherePredicate]) -> Impl {
        let mut own: Vec<GenericParam> = self.generics.params.iter().cloned().collect();
        own.iter_mut().for_each(without_default);
        let of_struct = self.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        (parameters(&own, more), clause(of_struct.chain(predicates)))
    }

    /// The struct with the lifetime `by`, or with its own.
    pub(crate) fn ty(&self, by: Option<&str>) -> TokenStream {
        let ident = &self.ident;
        let argument = |parameter: &GenericParam| match (parameter, by) {
            (GenericParam::Lifetime(parameter), None) => parameter.lifetime.to_token_stream(),
            (GenericParam::Lifetime(_), Some(by)) => Lifetime::new(by, Span::call_site()).to_token_stream(),
            (GenericParam::Type(ty), _) => ty.ident.to_token_stream(),
            (GenericParam::Const(constant), _) => constant.ident.to_token_stream(),
        };
        let arguments: Vec<TokenStream> = self.generics.params.iter().map(argument).collect();
        if arguments.is_empty() { quote!(#ident) } else { quote!(#ident<#(#arguments),*>) }
    }
}
