//! An enum of states: its variants, and the transitions between them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Data, Fields, Type, Visibility};

use super::subject::Subject;
use crate::names::{Ecs, identifier, snake_case, text};
use crate::parse;
use crate::parse::states::Targets;

/// An enum of states.
pub(crate) struct States {
    pub(crate) ecs: Ecs,
    pub(crate) subject: Subject,
    pub(crate) visibility: Visibility,
    /// The name of the module with the types of the variants: an option, or the name of the enum in
    /// snake case.
    pub(crate) module: Ident,
    /// The type of the parent state, of sub-states.
    pub(crate) within: Option<Type>,
    /// The option of states that a system computes.
    pub(crate) computed: Option<Ident>,
    pub(crate) variants: Vec<State>,
    /// The keyword of an item that is not an enum.
    pub(crate) not_an_enum: Option<(&'static str, Span)>,
}

/// A variant.
pub(crate) struct State {
    pub(crate) ident: Ident,
    /// The fields with the data of the state.
    pub(crate) fields: Option<Fields>,
    pub(crate) targets: Targets,
}

impl States {
    pub(crate) fn new(parsed: parse::states::States) -> Self {
        let parse::states::States { item, ecs, module, within, computed, targets } = parsed;
        let subject = Subject::new(&item);
        let in_snake_case = || identifier(&snake_case(&text(&item.ident)), item.ident.span());
        let module = module.unwrap_or_else(in_snake_case);
        let (mut variants, mut not_an_enum) = (Vec::new(), None);
        match item.data {
            Data::Enum(data) => {
                variants = data.variants.into_iter().zip(targets).map(State::new).collect();
            }
            Data::Struct(data) => not_an_enum = Some(("a struct", data.struct_token.span)),
            Data::Union(data) => not_an_enum = Some(("a union", data.union_token.span)),
        }
        Self { ecs, subject, visibility: item.vis, module, within, computed, variants, not_an_enum }
    }

    /// Whether the module would have the name of the enum, which is a type beside it.
    pub(crate) fn has_name_of_enum(&self) -> bool {
        text(&self.module) == self.subject.name()
    }

    /// Whether there is an enum that can have states.
    pub(crate) fn is_complete(&self) -> bool {
        let is_generic = self.subject.is_generic() || !self.subject.lifetimes.is_empty();
        !self.variants.is_empty() && !is_generic && !self.has_name_of_enum()
    }

    /// Whether a variant has data.
    pub(crate) fn has_data(&self) -> bool {
        self.variants.iter().any(|state| state.fields.is_some())
    }

    /// The variants without data.
    pub(crate) fn plain(&self) -> impl Iterator<Item = &State> {
        self.variants.iter().filter(|state| state.fields.is_none())
    }

    /// The variant with a name.
    pub(crate) fn find(&self, name: &Ident) -> Option<&State> {
        self.variants.iter().find(|state| text(&state.ident) == text(name))
    }

    /// The states to which a variant changes, each of them once; all others without a list. After a
    /// mistake in its list, all others, so that no transition is reported, too.
    pub(crate) fn targets<'s>(&'s self, from: &'s State) -> Vec<&'s State> {
        let others = || self.variants.iter().filter(|state| state.ident != from.ident).collect();
        let Targets::Listed(names) = &from.targets else { return others() };
        if names.iter().any(|name| self.find(name).is_none()) {
            return others();
        }
        let mut found: Vec<&State> = Vec::new();
        for state in names.iter().filter_map(|name| self.find(name)) {
            if found.iter().all(|earlier| earlier.ident != state.ident) {
                found.push(state);
            }
        }
        found
    }
}

impl State {
    fn new((variant, targets): (syn::Variant, Targets)) -> Self {
        let fields = (!matches!(variant.fields, Fields::Unit)).then_some(variant.fields);
        Self { ident: variant.ident, fields, targets }
    }

    /// The names of its fields, numbers among them.
    pub(crate) fn members(&self) -> impl Iterator<Item = TokenStream> {
        self.fields.iter().flat_map(Fields::members).map(|member| quote!(#member))
    }
}
