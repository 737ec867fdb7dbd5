//! A relation: the component that it is, and where its target stands.

use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Attribute, Data, Member};

use super::component::Component;
use crate::parse::relation::{Gone, Relation as Parsed};

/// A relation.
pub(crate) struct Relation {
    /// What it is as a component; of a relation of many targets the component is `Many` of it.
    pub(crate) component: Component,
    pub(crate) exclusive: Option<Ident>,
    pub(crate) many: Option<Ident>,
    pub(crate) symmetric: Option<Ident>,
    pub(crate) acyclic: Option<Ident>,
    pub(crate) gone: Gone,
    /// How many fields there are; none, if it is no struct.
    pub(crate) fields: Option<usize>,
    /// The attributes `#[target]`.
    pub(crate) marked: Vec<Attribute>,
    /// The field of the target, and where its type stands.
    pub(crate) target: Option<(Member, proc_macro2::Span)>,
}

impl Relation {
    pub(crate) fn new(parsed: Parsed) -> Self {
        let Parsed { component, exclusive, many, symmetric, acyclic, gone } = parsed;
        let (mut marked, mut target, mut only) = (Vec::new(), None, None);
        let fields = match &component.item.data {
            Data::Struct(data) => {
                for (member, field) in data.fields.members().zip(&data.fields) {
                    let here = (member, field.ty.span());
                    if let Some(mark) =
                        field.attrs.iter().find(|attribute| attribute.path().is_ident("target"))
                    {
                        marked.push(mark.clone());
                        target.get_or_insert_with(|| here.clone());
                    }
                    only = Some(here);
                }
                Some(data.fields.len())
            }
            _ => None,
        };
        let target = target.or_else(|| only.filter(|_| fields == Some(1)));
        let mut component = Component::new(component);
        component.relation = true;
        component.many = many.is_some();
        if let Gone::Mark(mark) = &gone {
            component.mark = Some((**mark).clone());
        }
        Self { component, exclusive, many, symmetric, acyclic, gone, fields, marked, target }
    }
}
