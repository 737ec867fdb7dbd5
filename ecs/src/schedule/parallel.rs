//! The executor for several threads: runs a section wave by wave, with the result of running its
//! systems one after the other.
//!
//! Systems of one wave do not clash, so that none of them sees the changes of another one. After
//! the wave, their events are merged in the order of the text; their commands are applied by the
//! flush, in the order of the text. Short systems stay on the thread that runs the schedule: see
//! [`ScheduleTimes`](super::timing::ScheduleTimes).
#![expect(unsafe_code, reason = "systems that do not clash run at the same time")]

use alloc::vec::Vec;
use core::ops::Range;

use super::output::Failure;
use super::panics::{Panics, Payload, SectionError, catch, report_system, section_result};
use super::plan::{Plan, PlanEntry};
use super::run::{MISSING_STATE, run_node};
use super::states::PlaceStates;
use super::timing::{Instant, ScheduleTimes};
use crate::base::tick::TURN;
use crate::raw_world::{RawWorld, WorldCell, discard};
use crate::system::{SystemPhase, SystemState};

/// The world and the states of a section, shared between the threads that run a wave.
///
/// # Invariants
/// `states` points to the states of all places of the schedule. At any time, [`run`](Self::run) is
/// called for nodes of one wave only, and for each of them at most once.
struct WaveRunner<'w, W: RawWorld> {
    plan: &'w Plan<'w, W>,
    world: WorldCell<'w, W>,
    states: *mut SystemState,
    /// The tick of the section's first node.
    tick: u64,
    /// The index of the section's first node.
    first: usize,
}

// SAFETY: the data of a world is `Send` and `Sync`: components, resources and events by the
// contract of `World`, states by the bounds of `SystemState::new`. The exception are resources of
// the main thread: nodes that access one run on the thread that has the world, since `Wave::run`
// does not move them. By the invariant, several threads run only nodes of one wave; these do not
// clash, as the plan has checked.
unsafe impl<W: RawWorld> Sync for WaveRunner<'_, W> {}

/// The outcome of a node.
enum NodeOutcome {
    /// The node was not run: it is switched off, or has not been reached yet.
    NotRun,
    /// The node has run; with the times of its begin and end if they are measured.
    Finished(Option<Instant>, Option<Instant>),
    Failed(Failure),
    Panicked(Payload),
}

/// The nodes of one wave, and the outcome of each. The type is not generic over the world, so that
/// it is compiled once.
#[derive(Default)]
struct Wave {
    nodes: Vec<usize>,
    outcomes: Vec<NodeOutcome>,
}

impl Wave {
    fn clear(&mut self) {
        self.nodes.clear();
        self.outcomes.clear();
    }

    fn add(&mut self, node: usize) {
        self.nodes.push(node);
        self.outcomes.push(NodeOutcome::NotRun);
    }

    #[cfg_attr(not(debug_assertions), inline)]
    fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Removes and returns the outcome of the `i`-th node of the wave, with the index of the node
    /// in the plan.
    #[cfg_attr(not(debug_assertions), inline)]
    fn take(&mut self, i: usize) -> (usize, NodeOutcome) {
        (self.nodes[i], core::mem::replace(&mut self.outcomes[i], NodeOutcome::NotRun))
    }

    /// Calls `run` once for each node that is switched on: in their order, or on several threads if
    /// there is a clock, which selects the nodes for other threads among those that `may_move`. If
    /// one panics, the others still run. A node that may fail is the last of its wave.
    fn run(
        &mut self,
        is_on: &dyn Fn(usize) -> bool,
        clock: Option<&ScheduleTimes>,
        may_move: &dyn Fn(usize) -> bool,
        run: &(dyn Fn(usize) -> NodeOutcome + Sync),
    ) {
        let nodes = self.nodes.iter().copied().zip(&mut self.outcomes).filter(|&(at, _)| is_on(at));
        let Some(clock) = clock else {
            nodes.for_each(|(at, outcome)| *outcome = run(at));
            return;
        };
        let (large, small): (Vec<_>, Vec<_>) = nodes.partition(|&(at, _)| may_move(at) && clock.is_large(at));
        // a scope that runs its function on this thread
        rayon::in_place_scope(|scope| {
            let has_own = small.iter().any(|&(at, _)| clock.is_large(at));
            let mut large = large.into_iter();
            let own = if has_own { None } else { large.next() };
            for (at, outcome) in large {
                scope.spawn(move |_| *outcome = run(at));
            }
            for (at, outcome) in small.into_iter().chain(own) {
                *outcome = run(at);
            }
        });
    }
}

impl<W: RawWorld> WaveRunner<'_, W> {
    /// The states of a node's places.
    ///
    /// # Safety
    /// No other borrow of the states of this node is alive.
    #[expect(clippy::mut_from_ref, reason = "the nodes of a wave have different places")]
    unsafe fn states(&self, entry: &PlanEntry<W>) -> &mut [SystemState] {
        // SAFETY: `section` has checked that the places of all its nodes are in range; no other
        // borrow is alive, as the caller promises.
        unsafe { core::slice::from_raw_parts_mut(self.states.add(entry.place), entry.node.places()) }
    }

    /// Runs a node of the wave.
    ///
    /// # Safety
    /// Neither this node nor one that clashes with it runs on another thread at the same time.
    unsafe fn run(&self, at: usize, measure: bool) -> NodeOutcome {
        let entry = &self.plan.entries[at];
        let tick = self.tick + (at - self.first) as u64 * TURN;
        let start = ScheduleTimes::now(measure);
        // SAFETY: the caller keeps this node and clashing ones from running at the same time, so
        // that the states of its places are not borrowed. A section with an exclusive system is not
        // run here.
        let run = || unsafe { run_node(self.plan, entry, self.world, self.states(entry), tick) };
        match catch(run) {
            Ok(Ok(())) => NodeOutcome::Finished(start, ScheduleTimes::now(measure)),
            Ok(Err(failure)) => NodeOutcome::Failed(failure),
            Err(payload) => NodeOutcome::Panicked(report_system(self.plan, at, payload)),
        }
    }
}

/// Runs the systems of a section.
///
/// # Errors
/// The failure or panic of a system, with the index of its node.
pub(super) fn section<W: RawWorld>(
    plan: &Plan<'_, W>,
    section: &Range<usize>,
    world: WorldCell<'_, W>,
    states: &mut PlaceStates,
    tick: u64,
    measure: bool,
) -> Result<(), (usize, SectionError)> {
    for entry in &plan.entries[section.clone()] {
        assert!(entry.places().end <= states.places.len(), "{MISSING_STATE}");
    }
    let (mut wave, mut panics) = (Wave::default(), Panics::default());
    let mut start = section.start;
    while start < section.end {
        let number = |at: usize| plan.entries[plan.entries[at].node_of_turn].wave;
        wave.clear();
        let mut end = start;
        while end < section.end && number(end) == number(start) {
            let at = plan.entries[end].node_of_turn;
            if !panics.stop(plan, at) {
                wave.add(at);
            }
            end += 1;
        }
        let parallel = wave.len() > 1 && states.clock.is_parallel_wave(start);
        let may_move = |at: usize| !plan.entries[at].main_thread;
        let runner =
            WaveRunner { plan, world, states: states.places.as_mut_ptr(), tick, first: section.start };
        let (is_on, clock) = (|at: usize| !states.is_skipped(at), parallel.then_some(&states.clock));
        // SAFETY: `Wave::run` calls this once for each node of the wave, and the nodes of a wave do
        // not clash.
        wave.run(&is_on, clock, &may_move, &|at| unsafe { runner.run(at, measure) });
        // no system is running from here on, and the runner is not used any more
        for i in 0..wave.len() {
            let (at, outcome) = wave.take(i);
            let entry = &plan.entries[at];
            let by_state = states.is_closed_by_state(at);
            let places = states.places.get_mut(entry.places()).expect(MISSING_STATE);
            match outcome {
                // SAFETY: no system is running, and these are the states of the node's places.
                NodeOutcome::NotRun => unsafe { entry.node.skip(world, places, by_state) },
                NodeOutcome::Finished(start, end) => {
                    if entry.finishes {
                        // SAFETY: no system is running, and these are the states of the node's
                        // places.
                        let finish = || unsafe { entry.node.finish(world, places, &mut SystemPhase::Done) };
                        if let Err(payload) = catch(finish) {
                            panics.add(at, report_system(plan, at, payload));
                        }
                    }
                    states.end_step(entry, at, tick + (at - section.start) as u64 * TURN, start, end);
                }
                NodeOutcome::Failed(failure) => return section_result(panics, Err((at, failure))),
                NodeOutcome::Panicked(payload) => panics.add(at, payload),
            }
        }
        start = end;
        if end < section.end && wave.nodes.iter().any(|&at| plan.entries[at].may_reindex()) {
            // systems with earlier ticks than those of this wave may still change other values of
            // the same column
            let rest = (end..section.end).map(|turn| plan.entries[turn].node_of_turn);
            let next = rest.filter(|&at| plan.entries[at].may_reindex()).min().unwrap_or(section.end);
            // SAFETY: the world is borrowed mutably, and `Wave::run` has returned, so that no
            // system is running, and no reference to a column exists.
            unsafe { discard::reindex_after(world, tick + (next - section.start) as u64 * TURN - 1) };
        }
    }
    section_result(panics, Ok(()))
}
