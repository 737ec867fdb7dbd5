//! The rules of schedules.

use std::collections::{HashMap, HashSet};

use quote::ToTokens;
use syn::{Expr, TypePath};

use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::parameter::named;
use crate::model::schedule::{Failing, Place, Schedule, Step};
use crate::model::world::World;
use crate::names::{snake_case, source, text};
use crate::source_file::{declares, is_module};
use crate::words::has_word;

/// The names of the methods of a world, which a schedule must not have: it would hide the method,
/// or be hidden by it. Some names are reserved for later methods.
pub(crate) const VERBS: &str = "
    new default columns columns_mut clone fmt spawn spawn_batch despawn_all retain remove_all
    insert_batch get_or_insert_with spawn_columns despawn contains insert insert_if_new try_spawn
    insert_one remove try_remove remove_one get get_mut get_ref get_tracked try_get try_get_mut has
    entity entity_mut query query_mut change_tick advance_tick changed_since added_since
    resource_changed_since removed_since spawned_since despawned_since journal_since journal_begin
    world_mark set_world_mark world_entity resolve queries entities clear run run_with resource
    resource_mut send drain stats add set snapshot restore hash diff unique related set_parallelism
    target sources relations relate relate_at relate_batch unrelate timings time_systems
    watch_systems stop_watching enable is_enabled enable_named is_enabled_named run_named on_failed_command
    schedule_graph with_commands edit_schedule try_run exit_systems run_observers add_aspect
    has_aspect remove_aspect take_one_of add_one_of has_one_of clone_entity clone_entities
    clone_entity_without entity_with group_by clone_tree swap swap_all move_components move_all_components move_entities take_entity spawn_at
    reserve reserve_ids spawn_site shrink_to_fit regroup spawn_with_children spawn_children find find_one
    find_range find_first find_last save load load_with to_bytes to_json from_json from_json_with
    schema merge merge_from merge_with merge_from_with
";

/// A system or a condition that a schedule must not name.
pub(super) struct Wrong<'w> {
    pub(super) path: &'w TypePath,
    /// The tokens that the message underlines.
    pub(super) at: &'w dyn ToTokens,
    /// The message; empty if it is reported elsewhere.
    pub(super) message: String,
}

impl<'w> Wrong<'w> {
    pub(super) fn path(path: &'w TypePath, message: String) -> Self {
        Self { path, at: path, message }
    }
}

/// A rule for the paths in a schedule.
type Rule = for<'w> fn(&'w World, &'w Schedule) -> Vec<Wrong<'w>>;

/// The rules that also apply to the schedules of parts.
pub(super) fn hold_each_once(world: &World, errors: &mut Diagnostics) {
    for schedule in &world.schedules {
        holds_each_once(world, schedule, errors);
    }
}

pub(crate) fn check(world: &mut World, errors: &mut Diagnostics) {
    hold_each_once(world, errors);
    super::no_system::check(world, errors);
    for rule in [schedules_of_other_worlds as Rule, schedules_behind_parts, data, data_as_input] {
        refuse(world, errors, rule);
    }
    does_not_contain_itself(world, errors);
    refuse(world, errors, misplaced_schedules);
    let name = world.name();
    let mut seen = HashSet::new();
    world.schedules.retain(|schedule| {
        is_not_called_like_a_verb(&name, schedule, errors)
            && is_the_first_of_its_name(&name, schedule, &mut seen, errors)
    });
}

/// Reports the paths that a rule finds, and removes their steps, so that the compiler does not report
/// them again.
pub(super) fn refuse(
    world: &mut World,
    errors: &mut Diagnostics,
    rule: impl for<'w> Fn(&'w World, &'w Schedule) -> Vec<Wrong<'w>>,
) {
    let (title, mut found) = (world.title(), HashSet::new());
    for schedule in &world.schedules {
        for Wrong { path, at, message } in rule(world, schedule) {
            if !message.is_empty() {
                errors.at(at, format!("schedule `{}` of {title}: {message}", schedule.name()));
            }
            found.insert(source(path));
        }
    }
    leave_out(world, &found);
}

/// All paths of a schedule.
fn paths(schedule: &Schedule) -> impl Iterator<Item = &TypePath> {
    schedule.places().into_iter().flat_map(Place::paths)
}

/// A schedule behind its parts, `physics::step`, which the compiler takes for a type of the parts.
fn schedules_behind_parts<'w>(world: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let included = world.entries().filter_map(|entry| entry.included.as_ref()?.path.get_ident());
    let parts: HashSet<String> = included.filter(|name| !is_module(name)).map(text).collect();
    let wrong = |path: &'w TypePath| {
        let [first, last] = path.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let is_behind = path.qself.is_none() && parts.contains(&text(&first.ident));
        let (shown, last) = (source(path), text(&last.ident));
        let message = format!("`{shown}`: schedules of parts stand beside them: write `include {last}`");
        is_behind.then(|| Wrong::path(path, message))
    };
    if parts.is_empty() { Vec::new() } else { paths(schedule).filter_map(wrong).collect() }
}

/// Whether a path leads behind a type, and to no schedule of this world: most likely it is meant to
/// be one of another.
fn is_of_another_world(world: &World, path: &TypePath) -> bool {
    let behind = path.path.segments.iter().rev().nth(1).map(|segment| text(&segment.ident));
    path.qself.is_none()
        && behind.is_some_and(|name| name.starts_with(char::is_uppercase))
        && Schedule::named_by(path, &world.name(), &world.schedules).is_none()
}

fn schedules_of_other_worlds<'w>(world: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let states = world.resources.iter().filter_map(|entry| named(&entry.ty));
    let states: Vec<String> = states.filter_map(|(_, states)| states.first().map(source)).collect();
    let name = world.name();
    let wrong = |path: &'w TypePath| {
        let shown = source(path);
        let cure = match shown.split_once("::") {
            Some((first, schedule)) if first == name || first == "Self" => format!("write `{schedule}`"),
            Some((first, state)) if states.contains(&first.to_owned()) => {
                format!("a condition is a system: write `in_state::<{}::{state}>`", snake_case(first))
            }
            _ => "a schedule runs systems, and schedules of its own world, which it names alone; a schedule of another world \
                  runs on a value of that world"
                .to_owned(),
        };
        Wrong::path(path, format!("`{shown}` is neither a system nor a schedule of `{name}`: {cure}"))
    };
    paths(schedule).filter(|path| is_of_another_world(world, path)).map(wrong).collect()
}

/// Removes the steps that name one of these paths.
pub(super) fn leave_out(world: &mut World, found: &HashSet<String>) {
    if found.is_empty() {
        return;
    }
    world.lacks_steps = true;
    for stage in world.schedules.iter_mut().flat_map(|schedule| &mut schedule.stages) {
        stage.steps.retain_mut(|step| {
            let mut paths =
                step.places_mut().into_iter().flat_map(|place| place.paths().map(source).collect::<Vec<_>>());
            !paths.any(|path| found.contains(&path))
        });
    }
}

/// The noun of each entry of a world, by its type.
fn nouns(world: &World) -> HashMap<String, &'static str> {
    let sections = world.sections().into_iter();
    sections.flat_map(|(of, entries)| entries.iter().map(|entry| (source(&entry.ty), of.noun))).collect()
}

/// A component, resource or event in place of a system.
fn data<'w>(world: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let nouns = nouns(world);
    let wrong = |path: &'w TypePath| {
        let shown = source(path);
        let noun = nouns.get(&shown)?;
        let cure = match *noun {
            "resource" => format!(
                "write a system that reads it and returns `bool`, `fn condition(value: Res<{shown}>) -> bool`, for a condition"
            ),
            _ => "a schedule names functions with `#[system]`".to_owned(),
        };
        Some(Wrong::path(path, format!("`{shown}` is a {noun} and not a system: {cure}")))
    };
    paths(schedule).filter_map(wrong).collect()
}

/// A resource as the input of a system.
fn data_as_input<'w>(world: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let nouns = nouns(world);
    let of_place = |place: &'w Place| {
        let resources = place.arguments.iter().filter(|one| nouns.get(&source(*one)) == Some(&"resource"));
        let wrong = |argument: &'w Expr| {
            let (system, value) = (source(&place.system), source(argument));
            let message = format!(
                "the input of `{system}` is a value, and `{value}` is a resource: remove `({value})`, and read it in `{system}` with a \
                 parameter `Res<{value}>` in place of `In<..>`"
            );
            Wrong { path: &place.system, at: argument, message }
        };
        resources.map(wrong).collect::<Vec<_>>()
    };
    schedule.places().into_iter().flat_map(of_place).collect()
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
                if start == first && declares("fn", &schedule.ident) {
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

/// Schedules in place of observers, the observers in place of a system, and schedules whose failures
/// no one would get.
fn misplaced_schedules<'w>(world: &'w World, schedule: &'w Schedule) -> Vec<Wrong<'w>> {
    let name = world.name();
    let wrong = |step: &'w Step| {
        let path = &step.place.system;
        let message = match Schedule::named_by(path, &name, &world.schedules)? {
            (_, inner) if inner.observes => {
                "the observers run by themselves when a schedule begins and at each `;`: leave this step out"
            }
            _ if schedule.observes => {
                "an observer is a system with a parameter that names its trigger, and not a schedule: list the \
                 systems of the schedule"
            }
            (_, inner) if inner.failing == Failing::System && schedule.failing != Failing::System => {
                "it is declared `-> Failures`, and adds its failures to those of the schedule around it: declare that one \
                 `-> Failures`, too"
            }
            _ => return None,
        };
        Some(Wrong::path(path, message.to_owned()))
    };
    schedule.steps().filter_map(wrong).collect()
}

fn is_not_called_like_a_verb(world: &str, schedule: &Schedule, errors: &mut Diagnostics) -> bool {
    let name = schedule.name();
    let is_verb = has_word(VERBS, &name) || name.starts_with("__");
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
