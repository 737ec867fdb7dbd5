//! Entries for the systems of the library that the schedules of a world name: a state for its
//! transition, an event that climbs for `bubble`.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::{Expr, Type, parse_quote};

use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::parameter::named;
use crate::model::schedule::{Place, Schedule};
use crate::model::world::{Entry, World};
use crate::names::source;
use crate::source_file::{self, may_have_alias};

pub(super) fn check(world: &mut World, errors: &mut Diagnostics) {
    requirements_are_listed(world, errors);
    states_are_listed(world, errors);
    states_fit_their_steps(world, errors);
    bubbling_events_climb(world, errors);
}

/// Reports a state whose transition a schedule names and that the world does not list, and the
/// component by which entities end with a state. Lists it, so that no other error follows.
fn states_are_listed(world: &mut World, errors: &mut Diagnostics) {
    if world.entries().any(|entry| entry.included.is_some()) {
        return; // the parts may list it
    }
    let steps = world.schedules.iter().flat_map(Schedule::places).flat_map(Place::paths);
    let steps: Vec<Type> = steps.map(|path| Type::Path(path.clone())).collect();
    for step in &steps {
        let Some((name, arguments)) = named(step) else { continue };
        let [Type::Path(state)] = &arguments[..] else { continue };
        let declared = state.path.get_ident().and_then(source_file::Declaration::of);
        let Some(first) = declared.and_then(|declared| declared.first_variant()) else { continue };
        let (state, shown) = (arguments[0], source(arguments[0]));
        if let Some(of) = despawned_by(&name) {
            let ecs = &world.ecs;
            let ty: Type = parse_quote!(#ecs::state::#of<#state>);
            let of = of.to_string();
            let is_it = |entry: &Entry| named(&entry.ty).is_some_and(|(name, _)| name == of);
            if !world.components.iter().any(is_it) && !may_have_alias(&of, world.ident.span()) {
                errors.push(step.wrong(format!(
                    "`{}` despawns what has `{of}<{shown}>`, of `ecs::state`, which {} does not list: write it among its `components`",
                    source(step),
                    world.title()
                )));
                let (field, index) =
                    (format_ident!("{name}_{}", world.components.len()), world.components.len());
                world.components.push(entry(field, ty, None, index));
            }
            continue;
        } else if name != "transition" {
            continue;
        }
        let is_listed = world.resources.iter().any(|entry| {
            let of = named(&entry.ty).and_then(|(_, arguments)| arguments.first().map(source));
            source(&entry.ty) == shown || of.as_ref() == Some(&shown)
        });
        if is_listed {
            continue;
        }
        errors.push(step.wrong(format!(
            "`{}` changes a state that {} does not list: write `State<{shown}> = State::new({shown}::{first})` among its `resources`",
            source(step),
            world.title()
        )));
        let (ecs, first, index) = (&world.ecs, Ident::new(&first, Span::call_site()), world.resources.len());
        let value = parse_quote!(#ecs::State::new(#state::#first));
        let entry =
            entry(format_ident!("state_{index}"), parse_quote!(#ecs::State<#state>), Some(value), index);
        world.resources.push(entry);
    }
}

/// Reports components that listed ones require, as far as the file shows them. Lists them, so that no
/// other error follows.
fn requirements_are_listed(world: &mut World, errors: &mut Diagnostics) {
    if world.entries().any(|entry| entry.included.is_some()) {
        return; // the parts may list it
    }
    let mut at = 0;
    while let Some(Entry { ty, .. }) = world.components.get(at) {
        at += 1;
        let Type::Path(path) = ty else { continue };
        let Some(name) = path.path.get_ident().cloned() else { continue };
        for required in source_file::Declaration::of(&name).map_or_else(Vec::new, |found| found.requires()) {
            let required = Ident::new(&required, name.span());
            let is_it = |entry: &Entry| named(&entry.ty).is_some_and(|(of, _)| required == of);
            if world.components.iter().any(is_it) || may_have_alias(&required.to_string(), name.span()) {
                continue;
            }
            let title = world.title();
            errors.at(
                &name,
                format!("component `{name}` requires `{required}`, which {title} does not list: add it to its `components`"),
            );
            let (field, index) =
                (format_ident!("required_{}", world.components.len()), world.components.len());
            world.components.push(entry(field, parse_quote!(#required), None, index));
        }
    }
}

/// The component that marks what a step of a state despawns.
fn despawned_by(step: &str) -> Option<Ident> {
    let of = match step {
        "despawn_on_enter" => "DespawnOnEnter",
        "despawn_on_exit" => "DespawnOnExit",
        _ => return None,
    };
    Some(Ident::new(of, Span::call_site()))
}

fn entry(field: Ident, ty: Type, value: Option<Expr>, index: usize) -> Entry {
    let (attributes, event) = (Vec::new(), Default::default());
    Entry { attributes, field, nameless: false, ty, value, event, index, included: None }
}

/// Refuses an event that is listed without `Bubbling`, though the observers let it climb, and
/// `Bubbling` that no observers let climb.
fn bubbling_events_climb(world: &mut World, errors: &mut Diagnostics) {
    let title = world.title();
    let paths: Vec<Type> = world
        .schedules
        .iter()
        .flat_map(Schedule::places)
        .flat_map(Place::paths)
        .map(|path| Type::Path(path.clone()))
        .collect();
    let of_name = |wanted: &'static str| {
        let found = paths.iter().filter_map(named).filter(move |(name, _)| name == wanted);
        found.filter_map(|(_, arguments)| Some((source(*arguments.first()?), source(*arguments.get(1)?))))
    };
    let climbing: Vec<(String, String)> = of_name("bubble").collect();
    if world.lacks_steps {
        return;
    }
    for entry in world.events.iter_mut().filter(|entry| entry.included.is_none()) {
        let shown = source(&entry.ty);
        match named(&entry.ty) {
            Some((name, arguments)) if name == "Bubbling" => {
                let Some(event) = arguments.first().map(source) else { continue };
                let relation = arguments.get(1).map_or_else(|| "ChildOf".to_owned(), source);
                if entry.event.is_external() || climbing.iter().any(|(climbs, _)| *climbs == event) {
                    continue;
                }
                errors.push(entry.ty.wrong(format!(
                    "{title} lists `{shown}`, and nothing lets it climb: write `bubble::<{event}, {relation}>` behind its readers in `observers`"
                )));
                entry.event.external = true;
            }
            _ => {
                let Some((_, relation)) = climbing.iter().find(|(event, _)| *event == shown) else {
                    continue;
                };
                let by = if relation.ends_with("ChildOf") { String::new() } else { format!(", {relation}") };
                errors.push(entry.ty.wrong(format!(
                    "{title} lists `{shown}`, and the event that climbs is `Bubbling<{shown}{by}>`: list that"
                )));
                let (ecs, event) = (&world.ecs, entry.ty.clone());
                let relation: Type = syn::parse_str(relation).unwrap_or_else(|_| parse_quote!(#ecs::ChildOf));
                entry.ty = parse_quote!(#ecs::relation::Bubbling<#event, #relation>);
            }
        }
    }
}

/// Reports a state that is listed as a sub-state, or the other way round, if a schedule names the
/// step of the other kind, and the file shows which of them the enum is.
fn states_fit_their_steps(world: &mut World, errors: &mut Diagnostics) {
    let (title, ecs) = (world.title(), world.ecs.clone());
    let paths: HashSet<String> =
        world.schedules.iter().flat_map(Schedule::places).flat_map(Place::paths).map(source).collect();
    let listed: Vec<String> = world.resources.iter().map(|entry| source(&entry.ty)).collect();
    let mut wrong = HashSet::new();
    for entry in &mut world.resources {
        let Some((kind, arguments)) = named(&entry.ty) else { continue };
        let Some(state) = arguments.first().map(|state| (*state).clone()) else { continue };
        if let ("State", Some(Expr::Path(value))) = (kind.as_str(), &entry.value)
            && source(value).starts_with(&format!("{}::", source(&state)))
        {
            let shown = source(value);
            errors.push(
                value.wrong(format!(
                    "{title}, section `resources`: a state begins with `State::new({shown})`"
                )),
            );
            entry.value = Some(parse_quote!(#ecs::State::new(#value)));
        }
        let (other, step, value) = match (kind.as_str(), source_file::is_sub_state(&state)) {
            ("State", Some(true)) => ("SubState", "sub_transition", "SubState::new()"),
            ("SubState", Some(false)) => ("State", "transition", "State::new(..)"),
            _ => continue,
        };
        let (step, right) = (format!("{step}::<{}>", source(&state)), format!("{other}<{}>", source(&state)));
        // a sub-state with the list and the step of a state
        let of_state = format!("transition::<{}>", source(&state));
        let is_twice = other == "SubState" && paths.contains(&of_state);
        if !paths.contains(&step) && !is_twice || listed.contains(&right) {
            continue;
        }
        let mut message = format!(
            "{title}, section `resources`: `{step}` changes a `{other}`, of `ecs::state`: write `{right} = {value}`"
        );
        if is_twice && !paths.contains(&step) {
            message = format!(
                "{title}, section `resources`: `{}` exists within another state: write `{right} = {value}`, of `ecs::state`, and \
                 `{step}` for `{of_state}`",
                source(&state)
            );
            wrong.insert(of_state);
        }
        errors.at(&entry.ty, message);
        if other == "SubState" {
            (entry.ty, entry.value) = (
                parse_quote!(#ecs::state::SubState<#state>),
                Some(parse_quote!(#ecs::state::SubState::new())),
            );
        } else {
            wrong.insert(step);
        }
    }
    super::schedule::leave_out(world, &wrong);
}
