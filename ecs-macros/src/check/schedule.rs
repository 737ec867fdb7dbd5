//! The rules of schedules.

use std::collections::{HashMap, HashSet};

use syn::TypePath;

use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::parameter::named;
use crate::model::schedule::{Place, Schedule, Step};
use crate::model::world::World;
use crate::names::{snake_case, source, text};
use crate::source_file::{declares_function, is_module};

/// The names of the methods of a world, which a schedule must not have: it would hide the method,
/// or be hidden by it. Some names are reserved for later methods.
pub(crate) const VERBS: &[&str] = &[
    "new",
    "default",
    "columns",
    "columns_mut",
    "clone",
    "fmt",
    "spawn",
    "spawn_batch",
    "despawn_all",
    "retain",
    "remove_all",
    "insert_batch",
    "get_or_insert_with",
    "spawn_columns",
    "despawn",
    "contains",
    "insert",
    "insert_if_new",
    "try_spawn",
    "insert_one",
    "remove",
    "try_remove",
    "remove_one",
    "get",
    "get_mut",
    "get_ref",
    "get_tracked",
    "try_get",
    "try_get_mut",
    "has",
    "entity",
    "entity_mut",
    "query",
    "query_mut",
    "change_tick",
    "advance_tick",
    "changed_since",
    "added_since",
    "resource_changed_since",
    "removed_since",
    "spawned_since",
    "despawned_since",
    "journal_since",
    "journal_begin",
    "world_mark",
    "set_world_mark",
    "world_entity",
    "resolve",
    "queries",
    "entities",
    "clear",
    "run",
    "run_with",
    "resource",
    "resource_mut",
    "send",
    "drain",
    "stats",
    "add",
    "set",
    "snapshot",
    "restore",
    "hash",
    "diff",
    "unique",
    "related",
    "set_parallelism",
    "target",
    "sources",
    "relations",
    "relate",
    "relate_at",
    "relate_batch",
    "unrelate",
    "timings",
    "time_systems",
    "watch_systems",
    "stop_watching",
    "enable",
    "is_enabled",
    "enable_named",
    "is_enabled_named",
    "on_failed_command",
    "schedule_graph",
    "with_commands",
    "edit_schedule",
    "try_run",
    "exit_systems",
    "run_observers",
    "add_aspect",
    "has_aspect",
    "remove_aspect",
    "take_one_of",
    "add_one_of",
    "has_one_of",
    "clone_entity",
    "clone_entities",
    "clone_tree",
    "swap",
    "swap_all",
    "move_components",
    "move_all_components",
    "move_entities",
    "take_entity",
    "spawn_at",
    "reserve",
    "reserve_ids",
    "shrink_to_fit",
    "regroup",
    "spawn_with_children",
    "spawn_children",
    "find",
    "find_one",
    "find_range",
    "find_first",
    "find_last",
    "save",
    "load",
    "load_with",
    "to_bytes",
    "to_json",
    "from_json",
    "from_json_with",
    "schema",
    "merge",
    "merge_from",
    "merge_with",
    "merge_from_with",
];

/// The rules that also apply to the schedules of parts.
pub(super) fn hold_each_once(world: &World, errors: &mut Diagnostics) {
    for schedule in &world.schedules {
        holds_each_once(world, schedule, errors);
    }
}

pub(crate) fn check(world: &mut World, errors: &mut Diagnostics) {
    hold_each_once(world, errors);
    super::no_system::check(world, errors);
    names_no_other_world(world, errors);
    names_no_schedule_behind_parts(world, errors);
    names_no_data(world, errors);
    does_not_contain_itself(world, errors);
    observers_are_systems(world, errors);
    let name = world.name();
    let mut seen = HashSet::new();
    world.schedules.retain(|schedule| {
        is_not_called_like_a_verb(&name, schedule, errors)
            && is_the_first_of_its_name(&name, schedule, &mut seen, errors)
    });
}

/// Refuses a schedule behind its parts, `physics::step`, which the compiler takes for a type of the
/// parts.
fn names_no_schedule_behind_parts(world: &mut World, errors: &mut Diagnostics) {
    let entries = world.components.iter().chain(&world.resources).chain(&world.events);
    let included = entries.filter_map(|entry| entry.included.as_ref()?.path.get_ident());
    let parts: HashSet<String> = included.filter(|name| !is_module(name)).map(text).collect();
    if parts.is_empty() {
        return;
    }
    let mut found = HashSet::new();
    for schedule in &world.schedules {
        for system in schedule.places().into_iter().flat_map(Place::paths) {
            let [first, last] = system.path.segments.iter().collect::<Vec<_>>()[..] else { continue };
            if system.qself.is_some() || !parts.contains(&text(&first.ident)) {
                continue;
            }
            let (title, schedule, path) = (world.title(), schedule.name(), source(system));
            errors.push(system.wrong(format!(
                "schedule `{schedule}` of {title}: `{path}`: schedules of parts stand beside them: write `include {}`",
                text(&last.ident)
            )));
            found.insert(path);
        }
    }
    leave_out(world, &found);
}

/// Whether a path leads behind a type, and to no schedule of this world: most likely it is meant to
/// be one of another.
fn is_of_another_world(world: &World, path: &TypePath) -> bool {
    let behind = path.path.segments.iter().rev().nth(1).map(|segment| text(&segment.ident));
    path.qself.is_none()
        && behind.is_some_and(|name| name.starts_with(char::is_uppercase))
        && Schedule::named_by(path, &world.name(), &world.schedules).is_none()
}

/// Removes schedules of other worlds after reporting them, so that the compiler does not report
/// them again.
fn names_no_other_world(world: &mut World, errors: &mut Diagnostics) {
    let mut found = HashSet::new();
    let states = world.resources.iter().filter_map(|entry| named(&entry.ty));
    let states: Vec<String> = states.filter_map(|(_, states)| states.first().map(source)).collect();
    for schedule in &world.schedules {
        let paths = schedule.places().into_iter().flat_map(Place::paths);
        for system in paths.filter(|path| is_of_another_world(world, path)) {
            let (title, world) = (world.title(), world.name());
            let (schedule, path) = (schedule.name(), source(system));
            let cure = match path.split_once("::") {
                Some((first, name)) if first == world || first == "Self" => format!("write `{name}`"),
                Some((first, name)) if states.contains(&first.to_owned()) => {
                    format!("a condition is a system: write `in_state::<{}::{name}>`", snake_case(first))
                }
                _ => "a schedule runs systems, and schedules of its own world, which it names alone; a schedule of another world \
                      runs on a value of that world"
                    .to_owned(),
            };
            errors.push(system.wrong(format!("schedule `{schedule}` of {title}: `{path}` is neither a system nor a schedule of `{world}`: {cure}")));
            found.insert(path);
        }
    }
    leave_out(world, &found);
}

/// Removes the steps that name one of these paths.
pub(super) fn leave_out(world: &mut World, found: &HashSet<String>) {
    if found.is_empty() {
        return;
    }
    world.lacks_steps = true;
    for stage in world.schedules.iter_mut().flat_map(|schedule| &mut schedule.stages) {
        stage.steps.retain(|step| {
            let mut places = vec![&step.place];
            step.condition.iter().for_each(|condition| condition.places(&mut places));
            !places.into_iter().flat_map(Place::paths).any(|path| found.contains(&source(path)))
        });
    }
}

/// Refuses a component, resource or event in place of a system, and a resource as the input of one.
fn names_no_data(world: &mut World, errors: &mut Diagnostics) {
    let sections =
        [("component", &world.components), ("resource", &world.resources), ("event", &world.events)];
    let nouns: HashMap<String, &str> = sections
        .into_iter()
        .flat_map(|(noun, entries)| entries.iter().map(move |entry| (source(&entry.ty), noun)))
        .collect();
    let mut found = HashSet::new();
    for schedule in &world.schedules {
        for system in schedule.places().into_iter().flat_map(Place::paths) {
            let path = source(system);
            let Some(noun) = nouns.get(&path) else { continue };
            let cure = match *noun {
                "resource" => format!(
                    "write a system that reads it and returns `bool`, `fn condition(value: Res<{path}>) -> bool`, for a \
                     condition"
                ),
                _ => "a schedule names functions with `#[system]`".to_owned(),
            };
            let (title, schedule) = (world.title(), schedule.name());
            errors.push(system.wrong(format!(
                "schedule `{schedule}` of {title}: `{path}` is a {noun} and not a system: {cure}"
            )));
            found.insert(path);
        }
        for place in schedule.places() {
            let is_resource = |value: &String| nouns.get(value) == Some(&"resource");
            for (argument, value) in
                place.arguments.iter().map(|one| (one, source(one))).filter(|(_, value)| is_resource(value))
            {
                let (title, schedule, system) = (world.title(), schedule.name(), source(&place.system));
                errors.push(argument.wrong(format!(
                    "schedule `{schedule}` of {title}: the input of `{system}` is a value, and `{value}` is a resource: remove \
                     `({value})`, and read it in `{system}` with a parameter `Res<{value}>` in place of `In<..>`"
                )));
                found.insert(system);
            }
        }
    }
    leave_out(world, &found);
}

/// Refuses schedules that run each other: they would never end.
fn does_not_contain_itself(world: &World, errors: &mut Diagnostics) {
    let (name, schedules) = (world.name(), &world.schedules);
    let inner = |at: usize| {
        let steps = schedules[at].steps();
        let found = steps.filter_map(|step| Schedule::named_by(&step.place.system, &name, schedules));
        found.map(|(index, _)| index).collect::<Vec<_>>()
    };
    for (start, schedule) in schedules.iter().enumerate() {
        for step in schedule.steps() {
            let Some((first, _)) = Schedule::named_by(&step.place.system, &name, schedules) else { continue };
            let (mut reached, mut next) = (HashSet::new(), vec![first]);
            while let Some(at) = next.pop() {
                if reached.insert(at) {
                    next.extend(inner(at));
                }
            }
            if reached.contains(&start) {
                if start == first && declares_function(&schedule.ident) {
                    let schedule = schedule.name();
                    errors.push(schedules[start].ident.wrong(format!(
                        "schedule `{schedule}` of world `{name}` has the name of its system: give it another one, `schedule tick {{ {schedule} }}`"
                    )));
                    continue;
                }
                let (schedule, step_name) = (schedule.name(), source(&step.place.system));
                errors.push(step.place.system.wrong(format!("schedule `{schedule}` of world `{name}` runs itself through `{step_name}`: it would never end")));
            }
        }
    }
}

/// Refuses schedules in place of observers, and the observers in place of a system.
fn observers_are_systems(world: &mut World, errors: &mut Diagnostics) {
    let mut found = HashSet::new();
    let (name, title) = (world.name(), world.title());
    for schedule in &world.schedules {
        for step in schedule.steps() {
            let named = Schedule::named_by(&step.place.system, &name, &world.schedules);
            let (path, message) = match named {
                Some((_, inner)) if inner.observes => (
                    source(&step.place.system),
                    "the observers run by themselves when a schedule begins and at each `;`: leave this step out",
                ),
                Some(_) if schedule.observes => (
                    source(&step.place.system),
                    "an observer is a system with a parameter that names its trigger, and not a schedule: list the \
                     systems of the schedule",
                ),
                _ => continue,
            };
            errors.at(&step.place.system, format!("schedule `{}` of {title}: {message}", schedule.name()));
            found.insert(path);
        }
    }
    leave_out(world, &found);
}

fn is_not_called_like_a_verb(world: &str, schedule: &Schedule, errors: &mut Diagnostics) -> bool {
    let name = schedule.name();
    let is_verb = VERBS.contains(&name.as_str()) || name.starts_with("__");
    if is_verb {
        errors.push(schedule.ident.wrong(format!(
            "schedule `{name}` of world `{world}` has the name of a method that every world has: \
                call it something else"
        )));
    }
    !is_verb
}

fn is_the_first_of_its_name(
    world: &str,
    schedule: &Schedule,
    seen: &mut HashSet<String>,
    errors: &mut Diagnostics,
) -> bool {
    let has_cfg = schedule.attributes.iter().any(|attribute| attribute.path().is_ident("cfg"));
    let is_first = has_cfg || seen.insert(schedule.name());
    if !is_first {
        let name = schedule.name();
        let message = if schedule.observes {
            format!(
                "world `{world}` has `observers` twice: write one block with all observers, in their order"
            )
        } else {
            format!("world `{world}` has schedule `{name}` twice: join them, or name one differently")
        };
        errors.at(&schedule.ident, message);
    }
    is_first
}

fn holds_each_once(world: &World, schedule: &Schedule, errors: &mut Diagnostics) {
    let (mut seen, mut included) = (HashSet::new(), HashSet::new());
    for Step { place, .. } in schedule.steps().filter(|step| step.place.cfg.is_empty() && step.gate == 0) {
        let is_schedule = Schedule::named_by(&place.system, &world.name(), &world.schedules).is_some();
        if is_schedule && place.label.is_none() {
            continue; // a schedule may run another one as often as it likes
        }
        // an included system has a path of its own, by which equal names of two libraries are
        // distinguished
        let name =
            if place.label.is_none() && place.is_plain() { source(&place.system) } else { place.name() };
        if !seen.insert(name) {
            let (title, schedule, system) = (world.title(), schedule.name(), &place.spelled);
            if let (Some(path), None) = (&place.included, &place.label) {
                // the systems of one schedule are one mistake
                if included.insert(path.clone()) {
                    errors.push(place.tokens().wrong(format!(
                        "schedule `{schedule}` of {title} has the systems of `{path}` twice: they run once; leave one `include {path}` out, or \
                         put it into two schedules"
                    )));
                }
                continue;
            }
            let message = match &place.label {
                Some(label) => format!(
                    "schedule `{schedule}` of {title} has the name `{}` twice: each name after `as` is another one",
                    text(label)
                ),
                None => format!(
                    "schedule `{schedule}` of {title} has system `{system}` twice: it runs once; to run it twice, give the second place \
                     a name, `{system} as NAME`, or put it into two schedules"
                ),
            };
            match &place.label {
                Some(label) => errors.at(label, message),
                None => errors.at(&place.tokens(), message),
            }
        }
    }
}
