//! Observers: systems that run at each `;` for the triggers that wait there.
//!
//! `world!` makes a schedule of the `observers` block, with one stage that repeats like a `react`
//! block. The [executor](super::run) runs it when a schedule begins, and at the end of each stage,
//! after the commands of the stage. In each round, an observer runs only if it has a trigger: an
//! unread event, a removed value, or an entity that its filters pass. The executor finds triggers
//! by the change ticks of the columns and the positions of readers, which are parts of the world:
//! there is no queue of triggers.
//!
//! A world without observers has no such schedule, and `RawWorld::OBSERVERS` is a constant, so that
//! its executor has no code for them.

use core::cell::Cell;

use super::panics::report_panics;
use super::plan::{Stage, plans};
use super::run::{ScheduleRun, StatesLocation};
use super::states::{self, PlaceStates};
use crate::error::SystemError;
use crate::raw_world::RawWorld;

/// Runs the observers from within another schedule, and reports their panics under their own name.
///
/// # Errors
/// The error of [`run`].
#[inline(never)]
pub(super) fn run_within<W: RawWorld>(world: &mut W) -> Result<(), SystemError> {
    let Some(plan) = W::OBSERVERS.and_then(|index| plans::<W>().get(index)) else { return Ok(()) };
    let current = Cell::new("");
    report_panics(world, plan.name, &current, |world| run(world, &current))
}

/// Runs the observers of a world until none has a trigger. Does nothing if they are running
/// already: then the triggers wait for the next round. `current` is the name of the system that is
/// running.
///
/// # Errors
/// If observers still have triggers after the maximal number of rounds. These triggers wait for the
/// next place.
pub(super) fn run<W: RawWorld>(world: &mut W, current: &Cell<&'static str>) -> Result<(), SystemError> {
    let Some((index, plan)) = W::OBSERVERS.and_then(|index| Some((index, *plans::<W>().get(index)?))) else {
        return Ok(());
    };
    if states::of(world).schedules.get(index).is_some_and(PlaceStates::is_running) {
        return Ok(());
    }
    let mut run = ScheduleRun::new(world, plan, StatesLocation::World(index), current);
    if !(0..plan.entries.len()).any(|at| run.has_news(at)) {
        core::mem::forget(run); // nothing was read, so that there is nothing to trim
        return Ok(());
    }
    run.mark_running();
    let Some(&Stage { react: Some(most) }) = plan.stages.first() else { return Ok(()) };
    let measure = run.needs_measuring();
    run.react(0, most, measure)?;
    run.end_measuring(measure);
    Ok(())
}
