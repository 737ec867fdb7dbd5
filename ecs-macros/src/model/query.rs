//! Query data with names: a struct whose fields are query elements.
//!
//! The struct has at most one lifetime, that of the borrow. The impls use `'static` for it in query
//! elements, and `'__q` in items.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Fields, GenericParam, Generics, Lifetime, Member, Type, WherePredicate};

use super::bundle::{NotAStruct, fields};
use super::parameter::named;
use crate::built_in::{BuiltIn, Role};
use crate::lifetimes;
use crate::names::{Ecs, text, ungroup};
use crate::parse::derive::Derive;

/// A field.
pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
}

impl Field {
    /// The query element: the type with `'static` lifetimes.
    pub(crate) fn element(&self) -> Type {
        lifetimes::written(&self.ty, "'static")
    }
}

/// A query.
pub(crate) struct Query {
    pub(crate) ecs: Ecs,
    pub(crate) ident: Ident,
    pub(crate) fields: Vec<Field>,
    /// The keyword of an item that is not a struct.
    pub(crate) not_a_struct: NotAStruct,
    /// Whether it is a tuple struct.
    pub(crate) unnamed: bool,
    generics: Generics,
}

impl Query {
    pub(crate) fn new(parsed: Derive) -> Self {
        let Derive { item, ecs, .. } = parsed;
        let (fields, not_a_struct) = fields(&item.data);
        let fields = fields.into_iter().map(|(member, ty)| Field { member, ty }).collect();
        let DeriveInput { ident, data, generics, .. } = item;
        let unnamed = matches!(data, Data::Struct(data) if matches!(data.fields, Fields::Unnamed(_)));
        Self { ecs, ident, fields, not_a_struct, unnamed, generics }
    }

    /// The name for messages.
    pub(crate) fn name(&self) -> String {
        text(&self.ident)
    }

    /// The struct's lifetime parameters.
    pub(crate) fn lifetimes(&self) -> impl Iterator<Item = &Lifetime> {
        self.generics.lifetimes().map(|parameter| &parameter.lifetime)
    }

    /// Whether a field has a `&` without a lifetime, which the compiler reports for the struct.
    pub(crate) fn leaves_out_a_lifetime(&self) -> bool {
        self.lifetimes().next().is_none() && self.fields.iter().any(|field| leaves_out_a_lifetime(&field.ty))
    }

    /// Whether a field is `&mut`, as far as tokens show.
    pub(crate) fn writes(&self) -> bool {
        self.fields.iter().any(|field| writes(&field.ty))
    }

    /// Whether no field can write, by the tokens: false if a type may be an alias or another query
    /// struct.
    pub(crate) fn only_reads(&self) -> bool {
        !self.fields.is_empty() && self.fields.iter().all(|field| only_reads(&field.ty))
    }

    /// The generics of an impl: the struct's own without defaults, then `more`, and `predicates` in
    /// the where clause.
    pub(crate) fn generics(&self, more: &[GenericParam], predicates: &[WherePredicate]) -> Generics {
        let mut generics = self.generics.clone();
        for parameter in &mut generics.params {
            match parameter {
                GenericParam::Type(ty) => ty.default = None,
                GenericParam::Const(constant) => constant.default = None,
                GenericParam::Lifetime(_) => {}
            }
        }
        generics.params.extend(more.iter().cloned());
        generics.make_where_clause().predicates.extend(predicates.iter().cloned());
        generics
    }

    /// The struct with the lifetime `by`, or with its own.
    pub(crate) fn ty(&self, by: Option<&str>) -> TokenStream {
        let ident = &self.ident;
        let arguments: Vec<TokenStream> =
            self.generics.params.iter().map(|parameter| argument(parameter, by)).collect();
        if arguments.is_empty() { quote!(#ident) } else { quote!(#ident<#(#arguments),*>) }
    }
}

fn argument(parameter: &GenericParam, by: Option<&str>) -> TokenStream {
    match (parameter, by) {
        (GenericParam::Lifetime(parameter), None) => parameter.lifetime.to_token_stream(),
        (GenericParam::Lifetime(_), Some(by)) => Lifetime::new(by, Span::call_site()).to_token_stream(),
        (GenericParam::Type(ty), _) => ty.ident.to_token_stream(),
        (GenericParam::Const(constant), _) => constant.ident.to_token_stream(),
    }
}

/// Whether the element is a reference without a lifetime, or an `Option` or a tuple of one.
fn leaves_out_a_lifetime(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Reference(reference) => reference.lifetime.is_none(),
        Type::Tuple(tuple) => tuple.elems.iter().any(leaves_out_a_lifetime),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let arguments = super::parameter::type_arguments(last);
            last.ident == "Option" && arguments.into_iter().any(leaves_out_a_lifetime)
        }),
        _ => false,
    }
}

/// Whether the element is `&mut T`, `Mut<T>`, an `Option` of those, or a tuple with one of them.
fn writes(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Reference(reference) => reference.mutability.is_some(),
        Type::Tuple(tuple) => tuple.elems.iter().any(writes),
        Type::Path(_) => match BuiltIn::named(ty) {
            Some((built_in, _)) => built_in.role == Role::Element && built_in.mutable,
            None => named(ty)
                .is_some_and(|(name, arguments)| name == "Option" && arguments.into_iter().any(writes)),
        },
        _ => false,
    }
}

/// Whether the element is `&T`, `Ref<T>`, an `Option` of those, `Is<T>`, `Entity`, or a tuple of
/// these.
fn only_reads(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Tuple(tuple) => tuple.elems.iter().all(only_reads),
        Type::Path(_) => match BuiltIn::named(ty) {
            Some((built_in, _)) => built_in.role == Role::Element && !built_in.mutable,
            None => named(ty).is_some_and(|(name, arguments)| {
                name == "Option" && matches!(arguments.as_slice(), [inner] if only_reads(inner))
            }),
        },
        _ => false,
    }
}
