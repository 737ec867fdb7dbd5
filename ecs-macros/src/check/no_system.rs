//! Steps of schedules that are functions without `#[system]`: the compiler would say "expected
//! type, found function"; and systems without their type arguments, for which it would propose the
//! names of the parameters.

use std::collections::HashSet;

use syn::TypePath;

use super::schedule::leave_out;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::schedule::Schedule;
use crate::model::world::World;
use crate::names::{nearest, source, text};
use crate::source_file::{may_declare, no_systems, takes_no_input, type_parameters_of};

/// Reports and removes the steps and conditions that are functions without `#[system]`, as far as
/// the source text shows them.
pub(super) fn check(world: &mut World, errors: &mut Diagnostics) {
    let (name, title) = (world.name(), world.title());
    takes_its_arguments(world, errors);
    let places: Vec<(String, &TypePath)> = world
        .schedules
        .iter()
        .flat_map(|schedule| schedule.places().into_iter().map(|place| (schedule.name(), place)))
        .filter(|(_, place)| place.included.is_none())
        .flat_map(|(schedule, place)| place.paths().map(move |path| (schedule.clone(), path)))
        .filter(|(_, path)| Schedule::named_by(path, &name, &world.schedules).is_none())
        .collect();
    let names: HashSet<String> = places.iter().filter_map(|(_, path)| function(path)).collect();
    if names.is_empty() {
        return;
    }
    let no_systems = no_systems(&world.ident, &names);
    let mut found = HashSet::new();
    for (schedule, path) in places {
        let Some(system) = function(path) else { continue };
        let is_alone = path.path.segments.len() == 1;
        let lacks = if is_alone { lacking_arguments(path) } else { None };
        if let Some(cure) = lacks {
            errors.at(path, format!("schedule `{schedule}` of {title}: {cure}"));
        } else if is_alone && no_systems.unmarked.contains(&system) {
            errors.push(path.wrong(format!(
                "schedule `{schedule}` of {title}: `{system}` is a function and not a system: write `#[system({name})]` before \
                 `fn {system}`"
            )));
        } else if let Some(meant) = is_alone.then(|| misspelt(path, world)).flatten() {
            errors.push(path.wrong(format!("schedule `{schedule}` of {title}: there is no `{system}`: did you mean the schedule `{meant}`?")));
        } else if !no_systems.methods.contains(&system) {
            continue;
        }
        // a method with `#[system]` is reported where it stands
        found.insert(source(path));
    }
    leave_out(world, &found);
}

/// Reports and removes the steps and conditions with arguments whose systems have no inputs, as far
/// as the source text shows them.
fn takes_its_arguments(world: &mut World, errors: &mut Diagnostics) {
    let (title, mut found) = (world.title(), HashSet::new());
    for schedule in &world.schedules {
        for place in schedule.places() {
            let given = place.arguments.len();
            let Some(system) = place.system.path.get_ident().filter(|_| given > 0) else { continue };
            if place.included.is_some() || !takes_no_input(system) {
                continue;
            }
            let inputs: Vec<String> = match given {
                1 => vec!["value: In<T>".to_owned()],
                _ => (1..=given).map(|number| format!("value{number}: In<T{number}>")).collect(),
            };
            let (schedule, inputs) = (schedule.name(), inputs.join(", "));
            errors.push(place.system.wrong(format!(
                "schedule `{schedule}` of {title}: `{system}` takes no input, and is given {}: its first parameters are its inputs, \
                 `fn {system}({inputs}, ..)`, with the types of the values",
                if given == 1 { "a value".to_owned() } else { format!("{given} values") },
            )));
            found.insert(source(&place.system));
        }
    }
    leave_out(world, &found);
}

/// The systems of the library that are of a type, with the module of those that the prelude lacks,
/// and an example.
const OF_A_TYPE: [(&str, &str, &str); 7] = [
    ("transition", "", "Phase"),
    ("sub_transition", "state", "Menu"),
    ("despawn_on_exit", "state", "Phase"),
    ("in_state", "", "phase::Play"),
    ("entered", "", "phase::Play"),
    ("exited", "", "phase::Play"),
    ("apply_due", "time", "DespawnEntity, ()"),
];

/// The cure for a system with type parameters that is named without them.
fn lacking_arguments(path: &TypePath) -> Option<String> {
    let [segment] = path.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
    if !segment.arguments.is_none() {
        return None;
    }
    let name = text(&segment.ident);
    let own = type_parameters_of(&segment.ident);
    if let [first, ..] = own.as_slice() {
        let examples = ["Position", "Velocity", "Health"].into_iter().cycle().take(own.len());
        let examples = examples.collect::<Vec<_>>().join(", ");
        return Some(format!(
            "system `{name}` has the type parameter `{first}`: write it with a type, such as `{name}::<{examples}>`"
        ));
    }
    let (_, module, example) = OF_A_TYPE.iter().find(|(known, ..)| *known == name)?;
    let of = if module.is_empty() { String::new() } else { format!(", of `ecs::{module}`,") };
    let is_own = may_declare(&name, segment.ident.span());
    (!is_own)
        .then(|| format!("`{name}`{of} is of a type: write `{name}::<{example}>`, with the name of yours"))
}

/// The name of a schedule that is meant by a name which the file neither declares nor imports.
fn misspelt(path: &TypePath, world: &World) -> Option<String> {
    let name = path.path.get_ident()?;
    let schedules: Vec<String> = world.schedules.iter().map(Schedule::name).collect();
    let names: Vec<&str> = schedules.iter().map(String::as_str).collect();
    let meant = nearest(&text(name), &names)?;
    (!may_declare(&text(name), name.span())).then(|| meant.to_owned())
}

/// The name of the function behind a path.
fn function(path: &TypePath) -> Option<String> {
    path.path.segments.last().map(|segment| text(&segment.ident))
}
