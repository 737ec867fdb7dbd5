//! The bounds of a generic system on its world: one for each component, resource and event that the
//! parameters name.
//!
//! A bound on a whole parameter would break the elision of lifetimes in bodies, so the bounds name
//! the types inside. A system of one world needs them only for types with its type parameters; the
//! compiler checks all others in place, with a better message.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Type, WherePredicate, parse_quote};

use crate::built_in::{BuiltIn, Needs, Role};
use crate::lifetimes::{self, all_static};
use crate::model::parameter::{Element, Kind, Tree, named, option};
use crate::model::system::{System, World};
use crate::names::{source, ungroup};

pub(super) fn leaves(system: &System) -> Vec<WherePredicate> {
    if system.is_concrete() {
        return Vec::new();
    }
    let mut leaves = Leaves { system, world: system.world().into_token_stream(), found: Vec::new() };
    for parameter in &system.parameters {
        match &parameter.kind {
            Kind::Element(Element::Plain) => leaves.data(&parameter.ty),
            Kind::Element(Element::Each(query)) => leaves.data(query),
            Kind::Filter => leaves.filter(&parameter.ty),
            Kind::Query { data, filter, .. } => {
                data.leaves().into_iter().for_each(|ty| leaves.data(ty));
                filter.leaves().into_iter().for_each(|ty| leaves.filter(ty));
            }
            Kind::Target(_) | Kind::World | Kind::SharedWorld | Kind::Input(_) => {}
            Kind::Other => leaves.other(&parameter.ty),
        }
    }
    leaves.found
}

struct Leaves<'a> {
    system: &'a System,
    world: TokenStream,
    found: Vec<WherePredicate>,
}

impl Leaves<'_> {
    /// A query element.
    fn data(&mut self, ty: &Type) {
        if let Type::Reference(reference) = ungroup(ty) {
            return self.component(&reference.elem, reference.mutability.is_some());
        }
        if let Some(inner) = option(ty) {
            return self.data(inner);
        }
        match BuiltIn::named(ty) {
            Some((built_in, arguments)) if built_in.role == Role::Element => {
                self.built_in(built_in, ty, &arguments);
            }
            _ => self.demand(ty, |ecs, world, ty| parse_quote!(#ty: #ecs::__private::QueryData<#world>)),
        }
    }

    /// A filter, nested or not.
    fn filter(&mut self, ty: &Type) {
        if let Type::Tuple(tuple) = ungroup(ty) {
            return tuple.elems.iter().for_each(|ty| self.filter(ty));
        }
        match BuiltIn::named(ty) {
            Some((built_in, arguments)) if built_in.role == Role::Filter => {
                self.built_in(built_in, ty, &arguments);
            }
            _ => self.demand(ty, |ecs, world, ty| parse_quote!(#ty: #ecs::__private::QueryFilter<#world>)),
        }
    }

    /// A tuple of queries.
    fn queries(&mut self, ty: &Type) {
        let Type::Tuple(tuple) = ungroup(ty) else { return };
        for (_, arguments) in tuple.elems.iter().filter_map(named) {
            let mut trees = arguments.into_iter().map(Tree::of);
            trees.next().iter().flat_map(Tree::leaves).for_each(|ty| self.data(ty));
            trees.next().iter().flat_map(Tree::leaves).for_each(|ty| self.filter(ty));
        }
    }

    /// A whole parameter that is no query.
    fn other(&mut self, ty: &Type) {
        match BuiltIn::named(ty) {
            Some((built_in, arguments)) if built_in.role == Role::Parameter => {
                self.built_in(built_in, ty, &arguments);
            }
            _ => self.param(ty),
        }
    }

    /// A parameter of which only the type is known. The bound names the type of its value: behind a
    /// bound, the compiler does not look for it in the impl.
    fn param(&mut self, ty: &Type) {
        let [of_static, item] = ["'static", "'__x"].map(|lifetime| match BuiltIn::named(ty) {
            Some(_) => lifetimes::of_parameter(ty, lifetime),
            None => lifetimes::written(ty, lifetime),
        });
        self.demand(
            &of_static,
            |ecs, world, ty| parse_quote!(#ty: for<'__x> #ecs::__private::SystemParam<#world, Item<'__x> = #item>),
        );
    }

    /// The bound that the row of the table names.
    fn built_in(&mut self, built_in: &BuiltIn, ty: &Type, arguments: &[&Type]) {
        let Some(&argument) = arguments.first() else { return };
        let of_world = match built_in.needs {
            Needs::Nothing => return,
            Needs::Component => "Has",
            Needs::Stamps => "HasStamps",
            Needs::Tracked => "HasTracked",
            Needs::Relation => "HasRelation",
            Needs::Removed => "HasRemoved",
            Needs::Resource => "HasResource",
            Needs::Event => "HasEvent",
            Needs::Filter => return self.filter(argument),
            Needs::Queries => return self.queries(argument),
            Needs::SavedLocal if cfg!(feature = "serde") => {
                return self.demand(
                    argument,
                    |ecs, world, ty| parse_quote!(#ty: #ecs::__private::save::LocalOf<#world>),
                );
            }
            Needs::SavedLocal => return,
            Needs::World if source(argument) == self.world.to_string() => return,
            Needs::World | Needs::OwnTrait => return self.param(ty),
        };
        let of_world = Ident::new(of_world, Span::call_site());
        for other in &arguments[1..] {
            if built_in.role == Role::Filter { self.filter(other) } else { self.data(other) }
        }
        self.demand(argument, |ecs, world, ty| parse_quote!(#world: #ecs::#of_world<#ty>));
    }

    fn component(&mut self, ty: &Type, written: bool) {
        if written {
            self.demand(ty, |ecs, world, ty| parse_quote!(#world: #ecs::HasMut<#ty>));
        } else {
            self.demand(ty, |ecs, world, ty| parse_quote!(#world: #ecs::Has<#ty>));
        }
    }

    fn demand(
        &mut self,
        ty: &Type,
        bound: impl FnOnce(&crate::names::Ecs, &TokenStream, &Type) -> WherePredicate,
    ) {
        if matches!(self.system.world, World::Concrete(_)) && !self.is_generic(ty) {
            return;
        }
        let bound = bound(&self.system.ecs, &self.world, &all_static(ty));
        if !self.found.iter().any(|earlier| source(earlier) == source(&bound)) {
            self.found.push(bound);
        }
    }

    /// Whether the type names a parameter of the function.
    fn is_generic(&self, ty: &Type) -> bool {
        let names: Vec<String> = self.system.arguments().iter().map(ToString::to_string).collect();
        mentions(quote!(#ty), &names)
    }
}

/// Whether one of these names is among the tokens.
pub(super) fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_token_stream().into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}
