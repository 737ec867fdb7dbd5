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

use super::panics::{self, Panics, Payload, Stop, catch, tell_of};
use super::plan::Plan;
use super::run::{GONE, Trim, turn};
use crate::base::tick::TURN;
use crate::system::SystemState;
use crate::world::{World, WorldCell, discard};

/// Runs the schedule, if it can be run this way now; returns whether it did.
#[inline]
pub(super) fn run<W: World>(world: &mut W, plan: &'static Plan<W>) -> bool {
    if !plan.is_plain {
        return false;
    }
    let cell = WorldCell::new(world);
    let blocks = cell.entities().blocks();
    // SAFETY: the world is borrowed mutably, and nothing of it is lent.
    let Some(states) = (unsafe { cell.schedule_states_mut() }).schedules.get_mut(plan.index) else {
        return false;
    };
    if !states.are_quiet(plan.is_wide, blocks) {
        return false;
    }
    let (trim, progress) = (Trim(world), Progress::new());
    if let Err(payload) = catch(|| turns(trim.0, plan, &progress)) {
        broken_off(trim.0, plan, &progress, payload);
    }
    true
}

/// The progress of a run, kept for the case of a panic.
struct Progress {
    /// The number of the system that is running; [`NONE`] between sections.
    at: Cell<usize>,
    /// The number of the first system of its section, and that system's tick.
    first: Cell<usize>,
    tick: Cell<u64>,
}

const NONE: usize = usize::MAX;

impl Progress {
    #[inline(always)]
    const fn new() -> Self {
        Self { at: Cell::new(NONE), first: Cell::new(0), tick: Cell::new(0) }
    }
}

/// Ends a section in which a system has panicked as the [long way](super::run) does: the systems of the same wave, and of earlier
/// waves, still run.
#[cold]
#[inline(never)]
fn broken_off<W: World>(world: &mut W, plan: &'static Plan<W>, progress: &Progress, payload: Payload) -> ! {
    let (at, first) = (progress.at.get(), progress.first.get());
    if at == NONE {
        panics::resume(payload);
    }
    let mut panics = Panics::default();
    panics.add(at, tell_of(plan, at, payload));
    let cell = WorldCell::new(world);
    let ended = panics::in_order(panics, plan, at + 1..plan.entries[first].end, |at| {
        let tick = progress.tick.get() + (at - first) as u64 * TURN;
        // SAFETY: the world is borrowed mutably, and no system of a plain schedule reaches the places.
        let states = unsafe { cell.schedule_states_mut() }.schedules.get_mut(plan.index).expect(GONE);
        let place = states.places.get_mut(at).expect(GONE);
        // SAFETY: the world is borrowed mutably, and this system alone is running; it does not reach the places, and this is
        // its own.
        unsafe { one(plan, at, cell, place, tick) };
        Ok(())
    });
    match ended {
        Err((_, Stop::Panicked(payload))) => panics::resume(payload),
        _ => unreachable!("a system has panicked"),
    }
}

/// Gives a system its turn.
///
/// # Safety
/// The world is borrowed mutably, and this system alone is running; it does not reach the places, and `place` is its own.
#[inline(always)]
unsafe fn one<W: World>(
    plan: &Plan<W>,
    at: usize,
    world: WorldCell<'_, W>,
    place: &mut SystemState,
    tick: u64,
) {
    let entry = &plan.entries[at];
    // SAFETY: the caller's promise.
    turn(plan, entry, || unsafe {
        if plan.is_timed {
            entry.node.run_plainly(world, place, tick);
        } else {
            entry.node.run_untold(world, place);
        }
    });
}

/// Gives each system its turn.
#[inline(always)]
fn turns<W: World>(world: &mut W, plan: &'static Plan<W>, progress: &Progress) {
    let cell = WorldCell::new(world);
    // SAFETY: the world is borrowed mutably, and no system of a plain schedule reaches the places.
    let states = unsafe { cell.schedule_states_mut() }.schedules.get_mut(plan.index).expect(GONE);
    // each node of a plain schedule has one place
    let places = states.places.get_mut(..plan.entries.len()).expect(GONE);
    let (mut tick, mut first, mut end) = (0, 0, 0);
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators are dozens of functions for the compiler to make"
    )]
    for at in 0..plan.entries.len() {
        if at == end {
            progress.at.set(NONE);
            // SAFETY: the world is borrowed mutably, and nothing of it is lent but the places.
            tick = unsafe { begin_section(cell, at > 0, plan.entries[at].end - at) };
            (first, end) = (at, plan.entries[at].end);
            progress.first.set(first);
            progress.tick.set(tick);
        }
        progress.at.set(at);
        // SAFETY: the world is borrowed mutably, and this system alone is running; it does not reach the places, and
        // this is its own.
        unsafe { one(plan, at, cell, &mut places[at], tick + (at - first) as u64 * TURN) };
    }
    progress.at.set(NONE);
    // SAFETY: the world is borrowed mutably, and nothing of it is lent but the places.
    unsafe { discard::reindex_times(cell, 1) };
}

/// Takes the same ticks between two sections as [`Run::section`](super::run::Run::section): they are saved, so that they must not
/// depend on the executor. Returns the tick of the section's first system.
///
/// # Safety
/// The world is borrowed mutably, and nothing of it is lent but the places.
#[inline(always)]
unsafe fn begin_section<W: World>(cell: WorldCell<'_, W>, after_another: bool, systems: usize) -> u64 {
    // SAFETY: the caller's promise; the borrow of the entities ends with the statement.
    unsafe {
        discard::reindex_times(cell, if after_another { 2 } else { 1 });
        cell.entities_mut().next_ticks(systems)
    }
}
