//! A meta-aspect: an enum whose variants hold an aspect or a component, another meta-aspect, or
//! both.

use proc_macro2::{Ident, Span};
use syn::{Data, Fields, Type};

use super::subject::Subject;
use crate::names::{Ecs, source};
use crate::parse::derive::Derive;

/// A variant.
pub(crate) struct Alternative {
    pub(crate) ident: Ident,
    /// The content of the variant. `None` unless it has one unnamed field, or two of which one is
    /// marked.
    pub(crate) content: Option<Content>,
    /// The earlier variant that holds the same tokens, if there is one.
    pub(crate) same_as: Option<Ident>,
}

/// The content of a variant.
pub(crate) enum Content {
    /// An aspect or a component.
    All(Type),
    /// Another meta-aspect.
    OneOf(Type),
    /// Both. `swapped` if the meta-aspect stands first.
    Both { all: Type, one_of: Box<Type>, swapped: bool },
}

/// A meta-aspect.
pub(crate) struct MetaAspect {
    pub(crate) ecs: Ecs,
    pub(crate) subject: Subject,
    pub(crate) alternatives: Vec<Alternative>,
    /// The keyword of an item that is not an enum.
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
                    let content = Content::of(&variant.fields);
                    let spelled = content.as_ref().map(Content::spelled).unwrap_or_default();
                    let same = seen.iter().find(|(earlier, _)| content.is_some() && *earlier == spelled);
                    let same_as = same.map(|(_, ident)| ident.clone());
                    seen.push((spelled, variant.ident.clone()));
                    alternatives.push(Alternative { ident: variant.ident, content, same_as });
                }
            }
            Data::Struct(data) => not_an_enum = Some(("a struct", data.struct_token.span)),
            Data::Union(data) => not_an_enum = Some(("a union", data.union_token.span)),
        }
        Self { ecs, subject, alternatives, not_an_enum }
    }
}

impl Content {
    fn of(fields: &Fields) -> Option<Self> {
        let Fields::Unnamed(fields) = fields else { return None };
        let fields = fields.unnamed.iter().map(|field| {
            (field.ty.clone(), field.attrs.iter().any(|attribute| attribute.path().is_ident("one_of")))
        });
        match fields.collect::<Vec<_>>().as_slice() {
            [(all, false)] => Some(Self::All(all.clone())),
            [(one_of, true)] => Some(Self::OneOf(one_of.clone())),
            [(all, false), (one_of, true)] => {
                Some(Self::Both { all: all.clone(), one_of: Box::new(one_of.clone()), swapped: false })
            }
            [(one_of, true), (all, false)] => {
                Some(Self::Both { all: all.clone(), one_of: Box::new(one_of.clone()), swapped: true })
            }
            _ => None,
        }
    }

    /// The aspect or the component.
    pub(crate) fn all(&self) -> Option<&Type> {
        match self {
            Self::All(all) | Self::Both { all, .. } => Some(all),
            Self::OneOf(_) => None,
        }
    }

    /// The meta-aspect in the variant.
    pub(crate) fn one_of(&self) -> Option<&Type> {
        match self {
            Self::OneOf(one_of) => Some(one_of),
            Self::Both { one_of, .. } => Some(one_of),
            Self::All(_) => None,
        }
    }

    /// The types, for messages.
    pub(crate) fn spelled(&self) -> String {
        match self {
            Self::All(ty) | Self::OneOf(ty) => source(ty),
            Self::Both { all, one_of, .. } => format!("{}, {}", source(all), source(one_of)),
        }
    }
}
