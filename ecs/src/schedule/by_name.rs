//! Single systems and conditions that are chosen at run time, and the last failures of systems: for
//! `ecs::reflect`.

use alloc::string::String;

use super::failures::SystemFailure;
use super::node::{ConditionSystem, Node, Task};
use super::once;
use super::panics::{self, Payload};
use super::plan::Plan;
use super::states;
use crate::base::tick::Tick;
use crate::error::SystemError;
use crate::raw_world::{RawWorld, WorldCell};
use crate::system::SystemState;

/// Records that a system has returned an error.
#[cold]
pub(super) fn record_error<W: RawWorld>(
    world: &mut W,
    schedule: &'static str,
    system: &'static str,
    reason: String,
) {
    let tick = Tick(WorldCell::new(world).this_run());
    record(world, SystemFailure { schedule, system, reason, panicked: false, tick });
}

/// Records that a system has panicked.
#[cold]
pub(super) fn record_panic<W: RawWorld>(
    world: &mut W,
    schedule: &'static str,
    system: &'static str,
    payload: &Payload,
) {
    let text = match payload.downcast_ref::<String>() {
        Some(text) => text,
        None => payload.downcast_ref::<&'static str>().copied().unwrap_or_default(),
    };
    // a reported panic has the names of the system and of the schedule before its text
    let text = text.split_once("` panicked: ").map_or(text, |(_, text)| text);
    let (reason, tick) = (text.into(), Tick(WorldCell::new(world).this_run()));
    record(world, SystemFailure { schedule, system, reason, panicked: true, tick });
}

/// Records a failure, in place of an earlier one of the same system.
pub(super) fn record<W: RawWorld>(world: &mut W, failure: SystemFailure) {
    let failures = &mut states::of_mut(world).failures.0;
    failures.retain(|other| (other.schedule, other.system) != (failure.schedule, failure.system));
    failures.push(failure);
}

/// Whether a schedule is running. Only an exclusive system or a command of that schedule can find
/// it running.
pub(crate) fn is_running<W: RawWorld>(world: &W, plan: &Plan<'_, W>) -> bool {
    let states = states::of(world);
    states.schedules.get(plan.index).is_some_and(states::PlaceStates::is_running)
}

/// Whether the system at one place of a schedule is switched on.
pub(crate) fn is_place_enabled<W: RawWorld>(world: &W, plan: &Plan<'_, W>, node: usize) -> bool {
    let states = states::of(world);
    states.schedules.get(plan.index).is_none_or(|states| !states.is_disabled(node))
}

/// The last failure of each system that has failed, in the order in which they happened.
pub(crate) fn failures<W: RawWorld>(world: &W) -> &[SystemFailure] {
    &states::of(world).failures.0
}

/// Runs the system of a node once, whatever its condition, with a new state, as
/// [`once`](once::once) does.
///
/// # Errors
/// If the system fails.
pub(crate) fn run_alone<W: RawWorld>(world: &mut W, node: &Node<W>) -> Result<(), SystemError> {
    let system = node.task.name;
    let mut result = Ok(());
    alone(world, &node.task, &mut |world, state, tick| result = node.run_alone(world, state, tick));
    result.map_err(|source| {
        let error = SystemError { system, schedule: "", world: W::WORLD_NAME, source };
        record_error(world, "", system, alloc::format!("{}", error.source));
        error
    })
}

/// Evaluates a system of a condition once, with a new state.
pub(crate) fn evaluate_alone<W: RawWorld>(world: &mut W, condition: &ConditionSystem<W>) -> bool {
    let mut holds = false;
    alone(world, &condition.task, &mut |world, state, tick| {
        holds = condition.evaluate_alone(world, state, tick);
    });
    holds
}

/// Calls `run` with a new state of a system, and applies the events and commands of the system.
/// Records a panic.
fn alone<W: RawWorld>(world: &mut W, task: &Task<W>, run: &mut dyn FnMut(&mut W, &mut SystemState, u64)) {
    if let Err(payload) = once::alone(world, task.name, task.desc, run) {
        record_panic(world, "", task.name, &payload);
        panics::report_once_and_resume(W::WORLD_NAME, task.name, payload)
    }
}
