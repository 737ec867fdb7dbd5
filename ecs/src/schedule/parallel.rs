//! The systems of one section on several threads: wave by wave, each as if they ran one after the other.
//!
//! Systems of one wave do not clash, so that none of them sees what another one does. What they send is put together
//! after the wave in the order of the text, and what they defer is done by the flush, in the order of the text. Small
//! systems stay on the thread that runs the schedule: see [`Clock`](super::timing::Clock).
#![expect(unsafe_code, reason = "systems that do not clash run at the same time")]

use alloc::vec::Vec;
use core::ops::Range;

use super::node::Failure;
use super::panics::{Panics, Payload, Stop, catch, ended, tell_of};
use super::plan::{Entry, Plan};
use super::run::{GONE, turn};
use super::states::States;
use super::timing::{Clock, Instant};
use crate::base::tick::TURN;
use crate::system::{SystemPhase, SystemState};
use crate::world::{World, WorldCell};

/// The world and the places, for the systems of a wave.
///
/// # Invariants
/// Each copy is used for one node of a wave, and no two copies for the same node.
struct Shared<'w, W: World> {
    plan: &'w Plan<W>,
    world: WorldCell<'w, W>,
    places: *mut SystemState,
    /// The tick of the section's first node, and the index of that node.
    tick: u64,
    first: usize,
}

// SAFETY: what a world holds is `Send` and `Sync`: components, resources and events by the contract of `World`, states by the
// bounds of `SystemState::new`. The nodes of one wave access different parts of it, or only read.
unsafe impl<W: World> Sync for Shared<'_, W> {}

/// The outcome of a node.
enum Done {
    /// Not run, or not run yet.
    No,
    Yes(Option<Instant>, Option<Instant>),
    Failed(Failure),
    Panicked(Payload),
}

/// The nodes of one wave, and the outcome of each. The type is not generic over the world, so that it is compiled once.
#[derive(Default)]
struct Wave {
    nodes: Vec<usize>,
    done: Vec<Done>,
}

impl Wave {
    fn clear(&mut self) {
        self.nodes.clear();
        self.done.clear();
    }

    fn add(&mut self, node: usize) {
        self.nodes.push(node);
        self.done.push(Done::No);
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Takes out the outcome of a node, with its index.
    fn take(&mut self, i: usize) -> (usize, Done) {
        (self.nodes[i], core::mem::replace(&mut self.done[i], Done::No))
    }

    /// Runs the nodes that are switched on, each once: in their order, or on several threads. If one panics, the others still
    /// run. A node that may fail is the last of its wave.
    fn run(&mut self, disabled: &[bool], spread: Option<&Clock>, run: &(dyn Fn(usize) -> Done + Sync)) {
        let is_on = |at: usize| !disabled.get(at).is_some_and(|&disabled| disabled);
        let nodes = self.nodes.iter().copied().zip(&mut self.done).filter(|&(at, _)| is_on(at));
        let Some(clock) = spread else {
            nodes.for_each(|(at, done)| *done = run(at));
            return;
        };
        let (large, small): (Vec<_>, Vec<_>) = nodes.partition(|&(at, _)| clock.is_large(at));
        rayon::in_place_scope(|scope| {
            let mut large = large.into_iter();
            let mine = large.next();
            for (at, done) in large {
                scope.spawn(move |_| *done = run(at));
            }
            for (at, done) in small.into_iter().chain(mine) {
                *done = run(at);
            }
        });
    }
}

impl<W: World> Shared<'_, W> {
    /// The states of a node's places.
    ///
    /// # Safety
    /// No other borrow of these states is alive.
    #[expect(clippy::mut_from_ref, reason = "the nodes of a wave have different places")]
    unsafe fn places(&self, entry: &Entry<W>) -> &mut [SystemState] {
        // SAFETY: the section's places are there, which was looked up; the rest is the caller's promise.
        unsafe { core::slice::from_raw_parts_mut(self.places.add(entry.place), entry.node.places()) }
    }

    /// Runs a node of the wave.
    ///
    /// # Safety
    /// This node is not run elsewhere at the same time, and neither is one that clashes with it.
    unsafe fn run(&self, at: usize, measure: bool) -> Done {
        let entry = &self.plan.entries[at];
        let tick = self.tick + (at - self.first) as u64 * TURN;
        let start = Clock::now(measure);
        // SAFETY: the caller's promise.
        let run =
            || unsafe { turn(self.plan, entry, || entry.node.run(self.world, self.places(entry), tick)) };
        match catch(run) {
            Ok(Ok(())) => Done::Yes(start, Clock::now(measure)),
            Ok(Err(failure)) => Done::Failed(failure),
            Err(payload) => Done::Panicked(tell_of(self.plan, at, payload)),
        }
    }
}

/// Runs the systems of a section. The error has the index of the system that failed or panicked.
pub(super) fn section<W: World>(
    plan: &Plan<W>,
    section: &Range<usize>,
    world: WorldCell<'_, W>,
    states: &mut States,
    tick: u64,
    measure: bool,
) -> Result<(), (usize, Stop)> {
    let States { places, disabled, clock, .. } = states;
    for entry in &plan.entries[section.clone()] {
        assert!(entry.places().end <= places.len(), "{GONE}");
    }
    let shared = Shared { plan, world, places: places.as_mut_ptr(), tick, first: section.start };
    let (mut wave, mut panics) = (Wave::default(), Panics::default());
    let mut start = section.start;
    while start < section.end {
        let number = |at: usize| plan.entries[plan.entries[at].nth].wave;
        wave.clear();
        let mut end = start;
        while end < section.end && number(end) == number(start) {
            let at = plan.entries[end].nth;
            if !panics.stop(plan, at) {
                wave.add(at);
            }
            end += 1;
        }
        let spread = wave.len() > 1 && clock.is_spread(start);
        // SAFETY: each node of the wave is run once, as `Wave::run` says, and they do not clash.
        wave.run(disabled, spread.then_some(&*clock), &|at| unsafe { shared.run(at, measure) });
        for i in 0..wave.len() {
            let (at, done) = wave.take(i);
            let entry = &plan.entries[at];
            match done {
                // SAFETY: no system is running.
                Done::No => unsafe { entry.node.skip(world, shared.places(entry)) },
                Done::Yes(start, end) => {
                    if entry.finishes {
                        // SAFETY: no system is running.
                        let finish = || unsafe {
                            entry.node.finish(world, shared.places(entry), &mut SystemPhase::Done)
                        };
                        if let Err(payload) = catch(finish) {
                            panics.add(at, tell_of(plan, at, payload));
                        }
                    }
                    clock.note(at, start, end);
                }
                Done::Failed(failure) => return ended(panics, Err((at, failure))),
                Done::Panicked(payload) => panics.add(at, payload),
            }
        }
        start = end;
    }
    ended(panics, Ok(()))
}
