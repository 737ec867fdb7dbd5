//! The rules of systems that tokens can show.

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{ReturnType, Type, TypeImplTrait};

use crate::diagnostic::Diagnostics;
use crate::lifetimes;
use crate::model::parameter::{Kind, Parameter};
use crate::model::system::System;
use crate::names::{source, ungroup};

pub(crate) fn check(system: &System, errors: &mut Diagnostics) {
    is_a_plain_function(system, errors);
    for parameter in &system.parameters {
        has_a_nameable_type(system, parameter, errors);
        is_always_there(system, parameter, errors);
        asks_for_something(system, parameter, errors);
        takes_the_world_mutably(system, parameter, errors);
        takes_ids_by_value(system, parameter, errors);
    }
    returns_owned_data(system, errors);
    returns_nothing_per_entity(system, errors);
}

fn is_a_plain_function(system: &System, errors: &mut Diagnostics) {
    let (name, signature) = (system.name(), &system.signature);
    let mut refuse = |tokens: Option<&dyn ToTokens>, what: &str, cure: &str| {
        if let Some(tokens) = tokens {
            errors.at(&tokens.to_token_stream(), format!("system `{name}` {what}: {cure}"));
        }
    };
    let plain = "a system is a plain function, which a schedule calls";
    refuse(signature.constness.as_ref().map(|it| it as _), "is `const`", plain);
    refuse(
        signature.asyncness.as_ref().map(|it| it as _),
        "is `async`",
        "a schedule runs it to its end; remove `async`",
    );
    refuse(signature.unsafety.as_ref().map(|it| it as _), "is `unsafe`", plain);
    refuse(signature.abi.as_ref().map(|it| it as _), "is `extern`", plain);
    refuse(signature.variadic.as_ref().map(|it| it as _), "has `...`", "every parameter is one with a type");
    refuse(
        signature.receiver().map(|it| it as _),
        "takes `self`",
        "a system is a free function; what it needs comes as parameters, for instance `Res<T>`",
    );
}

fn has_a_nameable_type(system: &System, parameter: &Parameter, errors: &mut Diagnostics) {
    if let Some(found) = find_impl(&parameter.node.ty) {
        let (name, parameter) = (system.name(), &parameter.name);
        errors.at(
            found,
            format!(
                "system `{name}`: parameter `{parameter}` is `impl Trait`: name a type, or add a type \
                parameter to the function"
            ),
        );
    }
}

fn is_always_there(system: &System, parameter: &Parameter, errors: &mut Diagnostics) {
    for attribute in &parameter.node.attrs {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
            let (name, parameter) = (system.name(), &parameter.name);
            errors.at(
                attribute,
                format!(
                    "system `{name}`: parameter `{parameter}` depends on a `cfg`: put it on the whole \
                    function"
                ),
            );
        }
    }
}

fn asks_for_something(system: &System, parameter: &Parameter, errors: &mut Diagnostics) {
    let Kind::Query { data, .. } = &parameter.kind else { return };
    let (name, query) = (system.name(), &parameter.name);
    if data.leaves().is_empty() {
        errors.at(
            &parameter.node.ty,
            format!(
                "system `{name}`: query `{query}` is empty: it has no element to match; name a component, or \
                 `Entity` for every entity"
            ),
        );
    } else if data.has_empty_tuple() {
        errors.at(
            &parameter.node.ty,
            format!("system `{name}`: query `{query}` has an empty tuple in it: remove `()`"),
        );
    }
}

fn takes_the_world_mutably(system: &System, parameter: &Parameter, errors: &mut Diagnostics) {
    if matches!(parameter.kind, Kind::SharedWorld) {
        let (name, world, parameter_name) = (system.name(), source(&system.world()), &parameter.name);
        errors.at(
            &parameter.node.ty,
            format!(
                "system `{name}`: parameter `{parameter_name}` is `&{world}`: a system has the whole \
                world as `&mut \
                 {world}`, or the parts it needs as `Query` and `Res`"
            ),
        );
    }
}

fn takes_ids_by_value(system: &System, parameter: &Parameter, errors: &mut Diagnostics) {
    let leaves = match &parameter.kind {
        Kind::Query { data, .. } => data.leaves(),
        _ => vec![&parameter.ty],
    };
    for leaf in leaves {
        let Type::Reference(reference) = ungroup(leaf) else { continue };
        let Type::Path(path) = ungroup(&reference.elem) else { continue };
        if path.path.segments.last().is_some_and(|last| last.ident == "Entity") {
            let (name, parameter) = (system.name(), &parameter.name);
            errors.at(
                leaf,
                format!("system `{name}`: parameter `{parameter}` borrows an id: take it by value, `Entity`"),
            );
        }
    }
}

fn returns_owned_data(system: &System, errors: &mut Diagnostics) {
    let name = system.name();
    let ReturnType::Type(_, ty) = &system.signature.output else { return };
    if let Some(found) = find_impl(ty) {
        errors.at(found, format!("system `{name}` returns `impl Trait`: name the type that it returns"));
    } else if matches!(**ty, Type::Never(_)) {
        errors
            .at(ty, format!("system `{name}` never returns: the schedule would end with it; remove `-> !`"));
    } else if lifetimes::borrows(&system.signature.output) {
        errors.at(
            ty,
            format!(
                "system `{name}` returns a borrow: what it borrows is given back when it ends; return a copy"
            ),
        );
    }
}

fn returns_nothing_per_entity(system: &System, errors: &mut Diagnostics) {
    let ReturnType::Type(_, ty) = &system.signature.output else { return };
    let is_nothing = matches!(ungroup(ty), Type::Tuple(tuple) if tuple.elems.is_empty());
    let Some(row) = system.parameters.iter().find(|parameter| parameter.is_row()) else { return };
    if !is_nothing {
        let (name, row, ty_text) = (system.name(), &row.name, source(ty));
        errors.at(
            ty,
            format!(
                "system `{name}` returns `{ty_text}`, but runs once for every entity because of its \
                parameter `{row}`: \
                 return nothing, or take a `Query`"
            ),
        );
    }
}

/// The first `impl Trait` in a type.
fn find_impl(ty: &Type) -> Option<&TypeImplTrait> {
    struct Find<'a>(Option<&'a TypeImplTrait>);
    impl<'a> Visit<'a> for Find<'a> {
        fn visit_type_impl_trait(&mut self, found: &'a TypeImplTrait) {
            self.0.get_or_insert(found);
            visit::visit_type_impl_trait(self, found);
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}
