//! The executor for a schedule that only calls each of its systems once, in order, as most small
//! schedules do.
//!
//! The [plan](super::plan), a constant, decides whether a schedule may run here: it has no
//! conditions, no systems that may fail, no `react` blocks, no deferred changes, and no exclusive
//! systems. The [general executor](super::run) takes its place while the user measures systems or
//! has switched some of them off, and if a wave is worth several threads.
//!
//! This code is inlined into the method of each schedule, where the compiler knows the plan. So in
//! a release build a short schedule becomes a list of direct calls of its systems, which may be
//! inlined, too.
#![expect(unsafe_code, reason = "systems access the world through a cell, one after the other")]

use core::cell::Cell;
use core::slice;

use super::panics::{self, Panics, Payload, SectionError, catch, report_system};
use super::plan::Plan;
use super::run::{MISSING_STATE, TrimGuard, step};
use crate::base::tick::TURN;
use crate::raw_world::{RawWorld, WorldCell, discard};

/// Runs the schedule if it can take the fast path now; returns whether it did.
#[inline]
pub(super) fn run<W: RawWorld>(world: &mut W, plan: &'static Plan<'static, W>) -> bool {
    if !plan.is_plain {
        return false;
    }
    let cell = WorldCell::new(world);
    let blocks = cell.entities().blocks();
    // SAFETY: the world is borrowed mutably, and no other borrow of its data is alive.
    let Some(states) = (unsafe { cell.schedule_states_mut() }).schedules.get_mut(plan.index) else {
        return false;
    };
    if !states.allow_fast_path(plan.is_wide, blocks) {
        return false;
    }
    let (guard, progress) = (TrimGuard(world), Progress::new());
    if let Err(payload) = catch(|| run_systems(guard.0, plan, &progress)) {
        end_after_panic(guard.0, plan, &progress, payload);
    }
    true
}

/// The position in a run, stored for the case of a panic.
struct Progress {
    /// The index of the system that is running; [`NO_SYSTEM`] between sections.
    at: Cell<usize>,
    /// The index of the first system of its section.
    first: Cell<usize>,
    /// The tick of that first system.
    tick: Cell<u64>,
}

const NO_SYSTEM: usize = usize::MAX;

impl Progress {
    #[inline(always)]
    const fn new() -> Self {
        Self { at: Cell::new(NO_SYSTEM), first: Cell::new(0), tick: Cell::new(0) }
    }
}

/// Ends a section in which a system has panicked, like the [general executor](super::run): later
/// systems of the text that are in the same wave or an earlier one still run. Then resumes the
/// panic.
#[cold]
#[inline(never)]
fn end_after_panic<W: RawWorld>(
    world: &mut W,
    plan: &'static Plan<'static, W>,
    progress: &Progress,
    payload: Payload,
) -> ! {
    let (at, first) = (progress.at.get(), progress.first.get());
    if at == NO_SYSTEM {
        panics::resume(payload);
    }
    let mut panics = Panics::default();
    panics.add(at, report_system(plan, at, payload));
    let cell = WorldCell::new(world);
    let result = panics::run_in_order(panics, plan, at + 1..plan.entries[first].end, |at| {
        let tick = progress.tick.get() + (at - first) as u64 * TURN;
        // SAFETY: the world is borrowed mutably, and no system of a plain schedule accesses the
        // schedule states.
        let states =
            unsafe { cell.schedule_states_mut() }.schedules.get_mut(plan.index).expect(MISSING_STATE);
        let places = states.places.get_mut(at..=at).expect(MISSING_STATE);
        // SAFETY: the world is borrowed mutably, and no other system is running; a node of a plain
        // schedule has one place, so that this is its own state.
        unsafe { step::<W, true>(plan, &plan.entries[at], cell, places, tick) }
    });
    match result {
        #[cfg_attr(not(feature = "reflect"), expect(unused_variables, reason = "the index is only recorded"))]
        Err((at, SectionError::Panicked(payload))) => {
            #[cfg(feature = "reflect")]
            super::by_name::record_panic(world, plan.name, plan.entries[at].node.task.name, &payload);
            panics::resume(payload)
        }
        _ => unreachable!("a system has panicked"),
    }
}

/// Runs all systems, in order.
#[inline(always)]
fn run_systems<W: RawWorld>(world: &mut W, plan: &'static Plan<'static, W>, progress: &Progress) {
    let cell = WorldCell::new(world);
    // SAFETY: the world is borrowed mutably, and no system of a plain schedule accesses the
    // schedule states.
    let states = unsafe { cell.schedule_states_mut() }.schedules.get_mut(plan.index).expect(MISSING_STATE);
    // each node of a plain schedule has one place
    let states = states.places.get_mut(..plan.entries.len()).expect(MISSING_STATE);
    let (mut tick, mut first, mut end) = (0, 0, 0);
    #[expect(
        clippy::needless_range_loop,
        reason = "an iterator would add dozens of functions to each schedule for the compiler"
    )]
    for at in 0..plan.entries.len() {
        if at == end {
            progress.at.set(NO_SYSTEM);
            // SAFETY: the world is borrowed mutably, and the only other borrow is that of the
            // schedule states.
            tick = unsafe { begin_section(cell, at > 0, plan.entries[at].end - at) };
            (first, end) = (at, plan.entries[at].end);
            progress.first.set(first);
            progress.tick.set(tick);
        }
        progress.at.set(at);
        // SAFETY: the world is borrowed mutably, and no other system is running; a node of a plain
        // schedule has one place, so that this is its own state.
        let ended = unsafe {
            let (entry, places) = (&plan.entries[at], slice::from_mut(&mut states[at]));
            step::<W, true>(plan, entry, cell, places, tick + (at - first) as u64 * TURN)
        };
        debug_assert!(ended.is_ok(), "no system of a plain schedule can fail");
    }
    progress.at.set(NO_SYSTEM);
    // SAFETY: the world is borrowed mutably, and the only other borrow is that of the schedule
    // states.
    unsafe { discard::reindex_times(cell, 1) };
}

/// Begins a section, and returns the tick of its first system. It takes the same number of ticks as
/// [`ScheduleRun::section`](super::run::ScheduleRun::section): ticks are saved, so that they must
/// not depend on the executor.
///
/// # Safety
/// The world is borrowed mutably, and the only other borrow of its data is that of the schedule
/// states.
#[inline(always)]
unsafe fn begin_section<W: RawWorld>(cell: WorldCell<'_, W>, after_another: bool, systems: usize) -> u64 {
    // SAFETY: the only other borrow is that of the schedule states, as the caller promises; the
    // borrow of the entities ends with the statement.
    unsafe {
        discard::reindex_times(cell, if after_another { 2 } else { 1 });
        cell.entities_mut().next_ticks(systems)
    }
}
