//! The rules of schedules.

use std::collections::HashSet;

use crate::diagnostic::Diagnostics;
use crate::model::schedule::Schedule;
use crate::model::world::World;
use crate::names::source;

/// The methods of every world: a schedule of that name could not be called, or would hide one. The last ones are kept
/// for methods to come.
pub(crate) const VERBS: [&str; 48] = [
    "new",
    "default",
    "columns",
    "columns_mut",
    "clone",
    "fmt",
    "spawn",
    "spawn_batch",
    "despawn",
    "contains",
    "insert",
    "try_insert",
    "insert_one",
    "remove",
    "try_remove",
    "remove_one",
    "get",
    "get_mut",
    "try_get",
    "try_get_mut",
    "has",
    "entity",
    "entity_mut",
    "query",
    "query_mut",
    "queries",
    "entities",
    "clear",
    "run",
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
    "timings",
    "time_systems",
    "enable",
    "is_enabled",
    "spread",
    "on_stray",
    "with_commands",
];

/// What also the schedules of parts observe.
pub(super) fn hold_each_once(world: &World, errors: &mut Diagnostics) {
    for schedule in &world.schedules {
        holds_each_once(world, schedule, errors);
    }
}

pub(crate) fn check(world: &mut World, errors: &mut Diagnostics) {
    hold_each_once(world, errors);
    let name = world.name();
    let mut seen = HashSet::new();
    world.schedules.retain(|schedule| {
        is_not_called_like_a_verb(&name, schedule, errors)
            && is_the_first_of_its_name(&name, schedule, &mut seen, errors)
    });
}

fn is_not_called_like_a_verb(world: &str, schedule: &Schedule, errors: &mut Diagnostics) -> bool {
    let name = schedule.name();
    let is_verb = VERBS.contains(&name.as_str()) || name.starts_with("__");
    if is_verb {
        errors.at(
            &schedule.ident,
            format!(
                "schedule `{name}` of world `{world}` has the name of a method that every world has: \
                call it something else"
            ),
        );
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
        errors.at(
            &schedule.ident,
            format!("world `{world}` has schedule `{name}` twice: join them, or name one differently"),
        );
    }
    is_first
}

fn holds_each_once(world: &World, schedule: &Schedule, errors: &mut Diagnostics) {
    let mut seen = HashSet::new();
    for step in schedule.steps().filter(|step| step.place.cfg.is_empty()) {
        if !seen.insert(source(&step.place.system)) {
            let (title, schedule, system) = (world.title(), schedule.name(), &step.place.spelled);
            errors.at(
                &step.place.system,
                format!(
                    "schedule `{schedule}` of {title} has system `{system}` twice: it runs once; \
                    to run it \
                     twice, put it into two schedules"
                ),
            );
        }
    }
}
