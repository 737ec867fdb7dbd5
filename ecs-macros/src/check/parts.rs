//! The rules of parts: the rules of a world, and further ones because the world of another crate
//! includes the parts.

use std::collections::HashSet;

use proc_macro2::Ident;
use quote::format_ident;
use syn::{
    Attribute, ConstParam, GenericParam, Generics, LifetimeParam, TraitBound, Type, TypeParam,
    TypeParamBound, Visibility, WherePredicate, parse_quote, parse_quote_spanned,
};

use super::schedule::hold_each_once;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::schedule::Schedule;
use crate::model::world::World;
use crate::names::{Ecs, source, text};
use crate::source_file::is_private_system;

/// The derives of the standard library for the type that stands for a parameter, with the module of
/// each trait.
pub(crate) const DERIVED: [(&str, &str); 9] = [
    ("Clone", "clone"),
    ("Copy", "marker"),
    ("Debug", "fmt"),
    ("Default", "default"),
    ("PartialEq", "cmp"),
    ("Eq", "cmp"),
    ("PartialOrd", "cmp"),
    ("Ord", "cmp"),
    ("Hash", "hash"),
];

/// Further bounds that the type for a parameter fulfils.
const FULFILLED: [&str; 6] = ["Component", "Resource", "Event", "Send", "Sync", "Sized"];

pub(crate) fn check(parts: &mut World, errors: &mut Diagnostics) {
    parameters_have_examples(parts, errors);
    has_only_documentation(parts, errors);
    has_no_cfg(parts, errors);
    schedules_are_lists(parts, errors);
    public_parts_list_public_systems(parts, errors);
    super::world::check_entries(parts, errors);
    hold_each_once(parts, errors);
    names_differ(parts, errors);
    names_are_free(parts, errors);
}

/// The traits that a type parameter is bounded by.
pub(crate) fn bounds<'a>(generics: &'a Generics, parameter: &Ident) -> Vec<&'a TraitBound> {
    let own = generics.type_params().filter(|own| own.ident == *parameter).flat_map(|own| &own.bounds);
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let predicates = predicates.filter_map(|predicate| match predicate {
        WherePredicate::Type(of) => match &of.bounded_ty {
            Type::Path(path) if path.path.is_ident(parameter) => Some(&of.bounds),
            _ => None,
        },
        _ => None,
    });
    let all = own.chain(predicates.flatten());
    all.filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(bound),
        _ => None,
    })
    .collect()
}

/// Refuses a parameter for which the world of the checks has no argument.
fn parameters_have_examples(parts: &mut World, errors: &mut Diagnostics) {
    let title = parts.title();
    for (name, message) in parts.generics.params.iter().filter_map(|one| lack(&parts.generics, one)) {
        errors.at(name, format!("{title}: {message}"));
    }
    // the components, resources and events of a world own their data, and may go to another thread
    let unbounded: Vec<Ident> = parts
        .generics
        .type_params()
        .filter(|own| {
            own.bounds.is_empty() && own.default.is_none() && bounds(&parts.generics, &own.ident).is_empty()
        })
        .map(|own| own.ident.clone())
        .collect();
    for name in &unbounded {
        errors.push(name.wrong(format!(
            "{title}: parameter `{name}` has no bound: write `{name}: Send + Sync + 'static`"
        )));
    }
    for parameter in parts.generics.type_params_mut().filter(|own| unbounded.contains(&own.ident)) {
        parameter.bounds = parse_quote!(::core::marker::Send + ::core::marker::Sync + 'static);
    }
    // rustc would report that they are not used
    let parameters = std::mem::take(&mut parts.generics.params).into_iter();
    parts.generics.params =
        parameters.filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_))).collect();
}

/// Whether each parameter has a default, or bounds that derives fulfil.
pub(crate) fn has_examples(generics: &Generics) -> bool {
    generics.params.iter().all(|parameter| lack(generics, parameter).is_none())
}

/// The name of a parameter without a default, which is a lifetime, a constant or has a bound that
/// no derive fulfils, and the message.
fn lack<'a>(generics: &Generics, parameter: &'a GenericParam) -> Option<(&'a Ident, String)> {
    let behind = "with which the parts are checked, and which a world takes that gives none";
    match parameter {
        GenericParam::Lifetime(LifetimeParam { lifetime, .. }) => Some((
            &lifetime.ident,
            format!("the parameters of parts are types and constants: remove the lifetime `{lifetime}`"),
        )),
        GenericParam::Const(ConstParam { ident, ty, default: None, .. }) => {
            let (name, ty) = (text(ident), source(ty));
            let cure = format!("write `const {name}: {ty} = ..` with a value {behind}");
            Some((ident, format!("constant `{name}` has no default: {cure}")))
        }
        GenericParam::Type(TypeParam { ident, default: None, .. }) => {
            let (name, bound) = (text(ident), unfulfilled(generics, ident)?);
            let cure = format!("write `{name}: {bound} = ..` with a type {behind}");
            Some((ident, format!("parameter `{name}` is bounded by `{bound}` and has no default: {cure}")))
        }
        _ => None,
    }
}

/// The first bound of a parameter that no derive fulfils.
fn unfulfilled(generics: &Generics, parameter: &Ident) -> Option<String> {
    let known = |bound: &&&TraitBound| {
        let last = bound.path.segments.last().map(|last| text(&last.ident)).unwrap_or_default();
        FULFILLED.contains(&last.as_str()) || DERIVED.iter().any(|(known, _)| *known == last)
    };
    bounds(generics, parameter).iter().find(|bound| !known(bound)).map(|bound| source(&bound.path))
}

fn has_only_documentation(parts: &World, errors: &mut Diagnostics) {
    let title = parts.title();
    for attribute in &parts.attributes {
        if !attribute.path().is_ident("doc") {
            errors.at(
                attribute,
                format!("{title}: only doc comments are allowed here; write `#[cfg(..)]` before `parts!`"),
            );
        }
    }
}

/// Refuses `#[cfg]`: rustc would evaluate the condition in the including crate, with the features
/// of that crate.
fn has_no_cfg(parts: &mut World, errors: &mut Diagnostics) {
    let title = parts.title();
    let mut refuse = |attributes: &mut Vec<Attribute>| {
        attributes.retain(|attribute| {
            let is_cfg = attribute.path().is_ident("cfg");
            if is_cfg {
                errors.push(attribute.wrong(format!(
                    "{title}: a `#[cfg(..)]` in here would ask about the crate that includes the parts: put what \
                     depends on it into parts of its own, with the `#[cfg(..)]` before `parts!`"
                )));
            }
            !is_cfg
        });
    };
    for (_, entries) in parts.sections_mut() {
        entries.iter_mut().for_each(|entry| refuse(&mut entry.attributes));
    }
    for schedule in &mut parts.schedules {
        refuse(&mut schedule.attributes);
        schedule
            .stages
            .iter_mut()
            .flat_map(|stage| &mut stage.steps)
            .for_each(|step| refuse(&mut step.place.cfg));
    }
}

/// Refuses `every` and other schedules in the schedules of parts: the world declares these.
fn schedules_are_lists(parts: &mut World, errors: &mut Diagnostics) {
    let title = parts.title();
    let mut schedules = std::mem::take(&mut parts.schedules);
    let all: Vec<String> = schedules.iter().map(Schedule::name).collect();
    for schedule in &mut schedules {
        let this = schedule.name();
        if let Some(every) = schedule.every.take() {
            errors.push(every.wrong(format!(
                "schedule `{this}` of {title} has a clock: the schedule of the world that includes it has one"
            )));
        }
        for stage in &mut schedule.stages {
            stage.steps.retain(|step| {
                let inner = step.place.system.path.get_ident().map(text).filter(|inner| all.contains(inner));
                if let Some(inner) = &inner {
                    errors.push(step.place.system.wrong(format!(
                        "schedule `{this}` of {title} cannot run schedule `{inner}`: the world's schedule includes both"
                    )));
                }
                inner.is_none()
            });
        }
    }
    parts.schedules = schedules;
}

/// Refuses a private system in the schedule of public parts, as far as the source text shows it: the
/// worlds that include the schedule name the system. Another system takes its place.
fn public_parts_list_public_systems(parts: &mut World, errors: &mut Diagnostics) {
    let title = parts.title();
    if !matches!(parts.visibility, Visibility::Public(_)) {
        return;
    }
    for schedule in &mut parts.schedules {
        let this = schedule.name();
        for step in schedule.stages.iter_mut().flat_map(|stage| &mut stage.steps) {
            let path = &mut step.place.system;
            let Some(system) = path.path.get_ident().filter(|name| is_private_system(name)) else { continue };
            errors.push(system.wrong(format!(
                "schedule `{this}` of {title}: system `{system}` is private, and the parts are `pub`, so that other modules name it: \
                 write `pub fn {system}`"
            )));
            let ecs = Ecs::default();
            *path = parse_quote_spanned!(system.span()=> #ecs::__private::BrokenSystem);
        }
    }
}

/// Refuses three names for parts and schedules. Each becomes the name of a macro, which would
/// shadow a macro of the same name.
fn names_are_free(parts: &mut World, errors: &mut Diagnostics) {
    const TAKEN: [&str; 3] = ["parts", "system", "world"];
    let title = parts.title();
    let names = parts.schedules.iter().map(|schedule| &schedule.ident).chain([&parts.ident]);
    for name in names.filter(|name| TAKEN.contains(&text(name).as_str())) {
        errors.at(
            name,
            format!("{title}: `{name}` is the name of a macro of this library: call it something else"),
        );
    }
    parts.schedules.retain(|schedule| !TAKEN.contains(&schedule.name().as_str()));
    if TAKEN.contains(&parts.name().as_str()) {
        parts.ident = format_ident!("{}_", parts.ident);
    }
}

/// Refuses two equal names: the parts and each of their schedules become items of one module.
fn names_differ(parts: &mut World, errors: &mut Diagnostics) {
    let title = parts.title();
    let mut seen = HashSet::from([parts.name()]);
    parts.schedules.retain(|schedule| {
        let is_first = seen.insert(text(&schedule.ident));
        if !is_first {
            let name = schedule.name();
            errors.push(schedule.ident.wrong(format!(
                "{title}: `{name}` is the name of the parts and of a schedule, or of two schedules: worlds include \
                 them by name, rename one"
            )));
        }
        is_first
    });
}
