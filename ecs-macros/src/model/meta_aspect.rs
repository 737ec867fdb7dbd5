//! An enum of alternatives: each variant holds an aspect or a component.

use proc_macro2::{Ident, Span};
use syn::{Data, Fields, Type};

use super::subject::Subject;
use crate::names::{Ecs, source};
use crate::parse::derive::Derive;

/// A variant.
pub(crate) struct Alternative {
    pub(crate) ident: Ident,
    /// What it holds; nothing if that is not one field without a name.
    pub(crate) ty: Option<Type>,
    /// The earlier variant that holds the same tokens, if there is one.
    pub(crate) same_as: Option<Ident>,
}

/// An enum of alternatives.
pub(crate) struct MetaAspect {
    pub(crate) ecs: Ecs,
    pub(crate) subject: Subject,
    pub(crate) alternatives: Vec<Alternative>,
    /// `struct` or `union` where it is no enum.
    pub(crate) not_an_enum: Option<(&'static str, Span)>,
}

impl MetaAspect {
    pub(crate) fn new(parsed: Derive) -> Self {
        let (subject, ecs) = (Subject::new(&parsed.item), parsed.ecs);
        let mut seen: Vec<(String, Ident)> = Vec::new();
        let (mut alternatives, mut not_an_enum) = (Vec::new(), None);
        match parsed.item.data {
            Data::Enum(data) => {
                for variant in data.variants {
                    let ty = only_type(&variant.fields);
                    let spelled = ty.as_ref().map(source).unwrap_or_default();
                    let same = seen.iter().find(|(earlier, _)| ty.is_some() && *earlier == spelled);
                    let same_as = same.map(|(_, ident)| ident.clone());
                    seen.push((spelled, variant.ident.clone()));
                    alternatives.push(Alternative { ident: variant.ident, ty, same_as });
                }
            }
            Data::Struct(data) => not_an_enum = Some(("a struct", data.struct_token.span)),
            Data::Union(data) => not_an_enum = Some(("a union", data.union_token.span)),
        }
        Self { ecs, subject, alternatives, not_an_enum }
    }
}

/// The type of the only field, which has no name.
fn only_type(fields: &Fields) -> Option<Type> {
    match fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Some(fields.unnamed[0].ty.clone()),
        _ => None,
    }
}
