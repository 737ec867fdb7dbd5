//! Steps of schedules that are functions without `#[system]`: the compiler would say "expected
//! type, found function"; and systems without their type arguments, for which it would propose the
//! names of the parameters.

use std::collections::HashSet;

use syn::{GenericArgument, PathArguments, Type, TypePath};

use super::schedule::{Wrong, refuse};
use crate::diagnostic::Diagnostics;
use crate::model::parameter::named;
use crate::model::schedule::{Place, Schedule, Step};
use crate::model::world::World;
use crate::names::{article, nearest, source, text};
use crate::source_file::{
    NoSystems, may_declare, no_systems, noun_of, nouns_of_parameters, output_of, schedules_in_module,
    stops_events, takes_an_input, takes_no_input, type_parameters_of,
};

/// Reports and removes the steps and conditions that are functions without `#[system]`, as far as
/// the source text shows them.
pub(super) fn check(world: &mut World, errors: &mut Diagnostics) {
    refuse(world, errors, takes_no_argument);
    refuse(world, errors, takes_an_argument);
    refuse(world, errors, is_of_another_noun);
    refuse(world, errors, takes_no_output);
    refuse(world, errors, computes_from_nothing);
    refuse(world, errors, stops_too_late);
    let named = world.schedules.iter().flat_map(|schedule| own_paths(world, schedule));
    let names: HashSet<String> = named.filter_map(function).collect();
    if names.is_empty() {
        return;
    }
    let (no_systems, of_parts) = (no_systems(&world.ident, &names), of_parts(world));
    refuse(world, errors, |world, schedule| {
        let wrong = |path| Some(Wrong::path(path, no_system(world, path, &no_systems, of_parts.as_ref())?));
        own_paths(world, schedule).filter_map(wrong).collect()
    });
}

/// The paths in a schedule that lead to no schedule, and that no parts list.
fn own_paths<'w>(world: &'w World, schedule: &'w Schedule) -> impl Iterator<Item = &'w TypePath> {
    let (name, places) = (world.name(), schedule.places().into_iter());
    let own = places.filter(|place| place.included.is_none()).flat_map(Place::paths);
    own.filter(move |path| Schedule::named_by(path, &name, &world.schedules).is_none())
}

/// The message for a path that leads to no system; empty for a method with `#[system]`, which is
/// reported where it stands.
fn no_system(
    world: &World,
    path: &TypePath,
    no_systems: &NoSystems,
    of_parts: Option<&(String, Vec<String>)>,
) -> Option<String> {
    let system = function(path)?;
    let is_alone = path.path.segments.len() == 1;
    if let Some(cure) = lacking_arguments(path).filter(|_| is_alone) {
        return Some(cure);
    }
    if is_alone && no_systems.unmarked.contains(&system) {
        return Some(format!(
            "`{system}` is a function and not a system: write `#[system({})]` before `fn {system}`",
            world.name()
        ));
    }
    if let Some(meant) = is_alone.then(|| misspelt(path, world)).flatten() {
        return Some(format!("there is no `{system}`: did you mean the schedule `{meant}`?"));
    }
    if let (Some((module, schedules)), Some(name)) = (of_parts, path.path.get_ident())
        && schedules.contains(&system)
        && !may_declare(&system, name.span())
    {
        return Some(format!(
            "`{system}` is a schedule of parts, and no system: write `include {module}::{system}`"
        ));
    }
    no_systems.methods.contains(&system).then(String::new)
}

/// The module of the file from which the world includes parts, and their schedules: a schedule named
/// alone is meant to be included.
fn of_parts(world: &World) -> Option<(String, Vec<String>)> {
    let module = world.entries().find_map(|entry| {
        let path = &entry.included.as_ref()?.path;
        (path.segments.len() == 2).then(|| path.segments.first()).flatten()
    })?;
    Some((text(&module.ident), schedules_in_module(&module.ident)))
}

/// Steps and conditions with arguments whose systems have no inputs, as far as the source text shows
/// them.
fn takes_no_argument<'w>(_: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let wrong = |place: &'w Place| {
        let given = place.arguments.len();
        let system = place.system.path.get_ident().filter(|_| given > 0 && place.included.is_none())?;
        let inputs: Vec<String> = match given {
            1 => vec!["value: In<T>".to_owned()],
            _ => (1..=given).map(|number| format!("value{number}: In<T{number}>")).collect(),
        };
        let (inputs, is_given) =
            (inputs.join(", "), if given == 1 { "a value".to_owned() } else { format!("{given} values") });
        let message = format!(
            "`{system}` takes no input, and is given {is_given}: its first parameters are its inputs, `fn {system}({inputs}, ..)`, with the \
             types of the values"
        );
        takes_no_input(system).then(|| Wrong::path(&place.system, message))
    };
    schedule.places().into_iter().filter_map(wrong).collect()
}

/// Steps without arguments whose systems have inputs, as far as the source text shows them.
fn takes_an_argument<'w>(_: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let wrong = |place: &'w Place| {
        let is_alone = place.arguments.is_empty() && place.included.is_none();
        let system = place.system.path.get_ident().filter(|_| is_alone)?;
        let message = format!(
            "system `{system}` has an input: a schedule names it as `{system}(value)`, or `source | {system}`; `run_with::<{system}>(value)` \
             runs it, and what the caller of the schedule gives is a resource"
        );
        takes_an_input(system).then(|| Wrong::path(&place.system, message))
    };
    schedule.places().into_iter().filter_map(wrong).collect()
}

/// Systems of a component that are named with a resource or an event, and the like, as far as the
/// source text shows them.
fn is_of_another_noun<'w>(_: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let wrong = |path: &'w TypePath| {
        let [segment] = path.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let PathArguments::AngleBracketed(given) = &segment.arguments else { return None };
        let asked = nouns_of_parameters(&segment.ident);
        let mut pairs = asked.into_iter().zip(&given.args).filter_map(|(asked, given)| match given {
            GenericArgument::Type(Type::Path(given)) => Some((asked?, given.path.get_ident()?)),
            _ => None,
        });
        let (asked, given, found) = pairs.find_map(|(asked, given)| {
            let found = noun_of(given).filter(|found| *found != asked)?;
            Some((asked, given, found))
        })?;
        let (name, of, is) = (&segment.ident, article(asked), article(found));
        let message = format!(
            "system `{name}` is of {of} {asked}, and `{given}` is {is} {found}: name {of} {asked} in its place"
        );
        Some(Wrong::path(path, message))
    };
    schedule.places().into_iter().map(|place| &place.system).filter_map(wrong).collect()
}

/// Systems behind `|` in conditions that have no inputs, as far as the source text shows them: most
/// likely `||` is meant.
fn takes_no_output<'w>(_: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let wrong = |place: &'w Place| {
        let taking = place.piped.iter().find(|path| path.path.get_ident().is_some_and(takes_no_input))?;
        let (first, second) = (source(&place.system), source(taking));
        let message = format!(
            "`{second}` takes no input, and `|` gives it the output of `{first}`: write `{first} || {second}` if one of two conditions is \
             enough"
        );
        Some(Wrong::path(taking, message))
    };
    let mut places = Vec::new();
    schedule
        .steps()
        .filter_map(|step| step.condition.as_ref())
        .for_each(|condition| condition.places(&mut places));
    places.into_iter().filter(|place| place.included.is_none()).filter_map(wrong).collect()
}

/// `compute_state` without a system before `|`, and the system in the step before it that is meant.
fn computes_from_nothing<'w>(_: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let mut wrong = Vec::new();
    let mut before: Option<&Place> = None;
    for Step { place, .. } in schedule.steps() {
        let system = Type::Path(place.system.clone());
        let own = named(&system).filter(|(name, _)| name == "compute_state");
        if let (Some((_, states)), true) = (own, place.is_plain()) {
            let (step, output) = (
                source(&place.system),
                format!("Option<{}>", states.first().map_or_else(String::new, |one| source(*one))),
            );
            let chosen = before.and_then(|place| Some((place, place.system.path.get_ident()?)));
            let chosen = chosen.filter(|(_, name)| output_of(name).is_some_and(|of| of == output));
            let choose = chosen.map_or_else(|| "choose".to_owned(), |(_, name)| text(name));
            let message = format!(
                "`{step}` takes the state from the system before `|`: write `{choose} | {step}`, where `{choose}` returns `{output}`"
            );
            wrong.push(Wrong::path(&place.system, message));
            wrong.extend(chosen.map(|(place, _)| Wrong::path(&place.system, String::new())));
        }
        before = Some(place);
    }
    wrong
}

/// Observers behind `bubble` that stop an event, which is on its way by then.
fn stops_too_late<'w>(_: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let (mut bubble, mut wrong) = (None, Vec::new());
    for path in schedule.steps().map(|step| &step.place.system) {
        if function(path).is_some_and(|name| name == "bubble") {
            bubble = Some(source(path));
        } else if let (Some(bubble), Some(name)) = (&bubble, path.path.get_ident())
            && stops_events(name)
        {
            let message = format!(
                "`{name}` stops events behind `{bubble}`, which has sent them on already: write `{bubble}` behind `{name}`"
            );
            wrong.push(Wrong::path(path, message));
        }
    }
    wrong
}

/// The systems of the library that are of a type, with the module of those that the prelude lacks,
/// and an example.
const OF_A_TYPE: [(&str, &str, &str); 9] = [
    ("transition", "", "Phase"),
    ("sub_transition", "state", "Menu"),
    ("compute_state", "state", "Phase"),
    ("despawn_on_enter", "state", "Phase"),
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
