//! One run of a schedule that asks for nothing but its systems' turns, as most small ones do.
//!
//! Whether it may be run like this is told by the [plan](super::plan), a constant: no conditions, no failures, no
//! blocks, nothing that is left behind, nobody who takes the world itself. What the user asks for at run time, to
//! measure systems or switch them off, and waves that are worth several threads, take the [long way](super::run).
//!
//! This is inlined into the function of each schedule, where the plan is known to the compiler: in a release build, a
//! short schedule becomes calls of its systems, or what is in them.
#![expect(unsafe_code, reason = "systems are run with a cell of the world, one after the other")]

use core::cell::Cell;

use super::plan::Plan;
use super::run::{GONE, Trim, named, turn};
use crate::change::TURN;
use crate::world::{World, WorldCell, discard};

/// Runs the schedule, if this is a way to run it now.
#[inline]
pub(super) fn run<W: World>(world: &mut W, plan: &'static Plan<W>) -> bool {
    if !plan.is_plain {
        return false;
    }
    let cell = WorldCell::new(world);
    let blocks = cell.entities().blocks();
    // SAFETY: the world is borrowed mutably, and nothing of it is lent.
    let Some(states) = (unsafe { cell.places_mut() }).schedules.get_mut(plan.index) else { return false };
    if !states.are_quiet(plan.is_wide, blocks) {
        return false;
    }
    let current = Cell::new(0);
    let name = || match plan.entries.get(current.get()) {
        Some(entry) => entry.node.task.name,
        None => "",
    };
    named(plan.name, W::NAME, name, || turns(world, plan, &current));
    true
}

/// Gives each system its turn; `current` is the number of the one that is running.
#[inline]
fn turns<W: World>(world: &mut W, plan: &'static Plan<W>, current: &Cell<usize>) {
    let trim = Trim(world);
    let cell = WorldCell::new(trim.0);
    // SAFETY: the world is borrowed mutably, and no system of a plain schedule reaches the places.
    let states = unsafe { cell.places_mut() }.schedules.get_mut(plan.index).expect(GONE);
    // each node of a plain schedule has one place
    let places = states.places.get_mut(..plan.entries.len()).expect(GONE);
    let (mut tick, mut first, mut end) = (0, 0, 0);
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators are dozens of functions for the compiler to make"
    )]
    for at in 0..plan.entries.len() {
        let (entry, place) = (&plan.entries[at], &mut places[at]);
        if at == end {
            // SAFETY: the world is borrowed mutably, and nothing of it is lent but the places.
            tick = unsafe { begin_section(cell, at > 0, entry.end - at) };
            (first, end) = (at, entry.end);
        }
        current.set(at);
        // SAFETY: the world is borrowed mutably, and this system alone is running; it does not reach the places, and
        // this is its own.
        turn(plan, entry, || unsafe {
            if plan.is_timed {
                entry.node.run_plainly(cell, place, tick + (at - first) as u64 * TURN);
            } else {
                entry.node.run_untold(cell, place);
            }
        });
    }
    // SAFETY: the world is borrowed mutably, and nothing of it is lent but the places.
    unsafe { discard::look_through(cell) };
}

/// Does what [`Run::section`](super::run::Run::section) does between two sections: the ticks that a schedule takes must not
/// depend on the executor, for they are saved. Returns the tick of the section's first system.
///
/// # Safety
/// The world is borrowed mutably, and nothing of it is lent but the places.
#[inline(always)]
unsafe fn begin_section<W: World>(cell: WorldCell<'_, W>, after_another: bool, systems: usize) -> u64 {
    // SAFETY: the caller's promise; the borrow of the entities ends with the statement.
    unsafe {
        if after_another {
            discard::look_through(cell);
        }
        discard::look_through(cell);
        cell.entities_mut().next_ticks(systems)
    }
}
