//! One run of a schedule, one system after the other.
#![expect(
    unsafe_code,
    reason = "systems are run with a cell of the world, and clashing ones one after the other"
)]

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use super::node::Failure;
use super::panics::{self, PanicSite, Panics, Payload, named};
use super::places::States;
use super::plan::{Entry, Plan, Stage};
use super::quick;
use super::timing::Clock;
use crate::base::tick::TURN;
use crate::command::flush::Flush;
use crate::error::{SystemError, Unsettled};
use crate::system::{Phase, PlaceState, System};
use crate::world::{World, WorldCell, discard};

/// Runs a schedule of a world.
///
/// # Panics
/// If the schedule is running already, further up the call stack; if the systems of a `react` block have still something to react
/// to after the allowed number of runs.
#[inline]
pub(crate) fn run<W: World>(world: &mut W, plan: &'static Plan<W>) {
    if !quick::run(world, plan) {
        run_at_length(world, plan);
    }
}

#[inline(never)]
fn run_at_length<W: World>(world: &mut W, plan: &'static Plan<W>) {
    if let Err(error) = run_fallible(world, plan) {
        panic!("{error}"); // of a block that did not settle: no system of such a schedule can fail
    }
}

/// Runs a schedule whose systems may fail.
///
/// # Errors
/// The error of the first system that fails; no system after it runs.
///
/// # Panics
/// If the schedule is running already, further up the call stack.
pub(crate) fn run_fallible<W: World>(world: &mut W, plan: &'static Plan<W>) -> Result<(), SystemError> {
    let Some(every) = plan.every else { return once_through(world, plan) };
    let mut taken = 0;
    while every(world, taken) {
        once_through(world, plan)?;
        taken += 1;
    }
    Ok(())
}

#[inline]
fn once_through<W: World>(world: &mut W, plan: &'static Plan<W>) -> Result<(), SystemError> {
    let current = Cell::new("");
    named(world, plan.name, &current, |world| Run::new(world, plan, Home::World(plan.index), &current).all())
}

/// The panic's message if the states of a world's schedules are missing.
pub(super) const GONE: &str = "every place has a state";

/// Where the states of a schedule are.
pub(super) enum Home<'r> {
    /// In the world, under this number.
    World(usize),
    /// Outside of the world.
    Own(&'r mut States),
}

/// Why a section has ended before its end.
pub(super) enum Stop {
    /// A system has failed.
    Failed(Failure),
    /// A system has panicked.
    Panicked(Payload),
}

/// One run of a schedule.
pub(super) struct Run<'r, W: World> {
    pub(super) world: &'r mut W,
    plan: &'r Plan<W>,
    home: Home<'r>,
    /// The name of the system that is running.
    current: &'r Cell<&'static str>,
}

impl<'r, W: World> Run<'r, W> {
    pub(super) fn new(
        world: &'r mut W,
        plan: &'r Plan<W>,
        home: Home<'r>,
        current: &'r Cell<&'static str>,
    ) -> Self {
        let mut run = Self { world, plan, home, current };
        let busy = match run.states() {
            Some(states) => states.is_busy(),
            None => false,
        };
        assert!(!busy, "schedule `{}` of world `{}` was called from inside itself", plan.name, W::NAME);
        run
    }

    /// The states of the schedule's places, while nothing of the world is lent.
    #[inline]
    fn states(&mut self) -> Option<&mut States> {
        match &mut self.home {
            Home::World(index) => {
                // SAFETY: the world is borrowed mutably by `self`, and nothing of it is lent.
                let places = unsafe { WorldCell::new(self.world).places_mut() };
                places.schedules.get_mut(*index)
            }
            Home::Own(states) => Some(states),
        }
    }

    /// Runs all stages.
    pub(super) fn all(mut self) -> Result<(), SystemError> {
        let plan = self.plan;
        let measure = self.is_to_be_measured();
        let mut start = 0;
        while let Some(first) = plan.entries.get(start) {
            if let Some(&Stage { react: Some(most) }) = plan.stages.get(first.node.stage) {
                start = self.react(start, most, measure)?;
            } else {
                self.section(start..first.end, measure)?;
                start = first.end;
            }
        }
        if measure && let Some(states) = self.states() {
            states.clock.decide(plan);
        }
        Ok(())
    }

    /// Runs a stage until none of its systems has news to react to, and returns the end of the stage.
    fn react(&mut self, start: usize, most: u32, measure: bool) -> Result<usize, SystemError> {
        let plan = self.plan;
        let stage = plan.entries[start].node.stage;
        let mut end = start;
        while end < plan.entries.len() && plan.entries[end].node.stage == stage {
            end += 1;
        }
        for _ in 0..most {
            let mut at = start;
            while at < end {
                self.section(at..plan.entries[at].end, measure)?;
                at = plan.entries[at].end;
            }
            if !self.has_restless(start..end) {
                return Ok(end);
            }
        }
        Err(Unsettled { systems: self.restless(start..end), most }.in_schedule(plan.name, W::NAME))
    }

    /// Whether some system has news to react to.
    fn has_restless(&mut self, nodes: Range<usize>) -> bool {
        for at in nodes {
            if self.has_news(at) {
                return true;
            }
        }
        false
    }

    /// The systems that have news to react to.
    fn restless(&mut self, nodes: Range<usize>) -> Vec<&'static str> {
        let mut restless = Vec::new();
        for at in nodes {
            if self.has_news(at) {
                restless.push(self.plan.entries[at].node.task.name);
            }
        }
        restless
    }

    /// Whether the system of a node has news to react to.
    fn has_news(&mut self, at: usize) -> bool {
        let entry = &self.plan.entries[at];
        let Some(states) = self.states() else { return false };
        if states.is_disabled(at) {
            return false;
        }
        let Some(places) = states.of(entry.places()) else { return false };
        let places = core::ptr::from_mut(places);
        // SAFETY: the world is borrowed mutably, and nobody accesses it but this node's system, which does not reach the
        // places; these are its own.
        unsafe { entry.node.has_news(WorldCell::new(self.world), &mut *places) }
    }

    /// Whether this run measures the time that systems take.
    #[inline]
    pub(super) fn is_to_be_measured(&mut self) -> bool {
        let blocks = WorldCell::new(self.world).entities().blocks();
        match self.states() {
            Some(states) => states.clock.is_due(blocks),
            None => false,
        }
    }

    /// Runs the systems between two flushes, and then applies their commands.
    pub(super) fn section(&mut self, section: Range<usize>, measure: bool) -> Result<(), SystemError> {
        let plan = self.plan;
        self.current.set("");
        discard::look(self.world);
        let mut guard = Broken { run: self, section: section.clone() };
        let done = guard.run.systems(&section, measure);
        let (ran, failed) = match done {
            Ok(()) => (section.clone(), None),
            Err((at, Stop::Failed(failure))) => (section.start..at, Some((at, failure))),
            Err((at, Stop::Panicked(payload))) => {
                guard.run.current.set(""); // the panic says it already
                let site = PanicSite { system: plan.entries[at].node.task.name, schedule: plan.name };
                panics::note(guard.run.world, site, true);
                panics::resume(payload);
            }
        };
        guard.section.start = ran.end; // what has run to its end is not broken off
        if plan.entries[section.start].flushes {
            guard.run.flush(&ran);
        }
        guard.run.current.set("");
        discard::look(guard.run.world);
        match failed {
            None => {
                core::mem::forget(guard);
                Ok(())
            }
            Some((at, source)) => Err(SystemError {
                system: plan.entries[at].node.task.name,
                schedule: plan.name,
                world: W::NAME,
                source,
            }),
        }
    }

    /// Runs the systems of a section. The error has the index of the system that failed or panicked.
    fn systems(&mut self, section: &Range<usize>, measure: bool) -> Result<(), (usize, Stop)> {
        let plan = self.plan;
        if plan.entries[section.start].exclusive {
            let done = self.exclusive(section.start, measure);
            return done.map_err(|failure| (section.start, Stop::Failed(failure)));
        }
        let cell = WorldCell::new(self.world);
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
        let tick = unsafe { cell.entities_mut() }.next_ticks(section.len());
        let states = match &mut self.home {
            // SAFETY: the world is borrowed mutably, and no system but an exclusive one reaches the places.
            Home::World(index) => unsafe { cell.places_mut() }.schedules.get_mut(*index),
            Home::Own(states) => Some(&mut **states),
        };
        let states = states.expect(GONE);
        #[cfg(feature = "parallel")]
        if states.clock.spreads() && rayon::current_num_threads() > 1 {
            return super::spread::section(plan, section, cell, states, tick, measure);
        }
        let (next, mut panics) = (Cell::new(section.start), Panics::default());
        loop {
            // one system after the other, up to the first that panics; then those after it that run all the same
            let done = panics::catch(|| {
                while next.get() < section.end {
                    let at = next.get();
                    if !panics.stop(plan, at) {
                        // SAFETY: the world is borrowed mutably, and this node alone is running; it does not reach the
                        // places.
                        unsafe {
                            one(plan, at, cell, states, tick + (at - section.start) as u64 * TURN, measure)?
                        };
                    }
                    next.set(at + 1);
                }
                Ok(())
            });
            let at = next.get();
            match done {
                Ok(done) => return ended(panics, done.map_err(|failure| (at, failure))),
                Err(payload) => panics.add(at, panics::tell_of(plan, at, payload)),
            }
            next.set(at + 1);
        }
    }

    /// Runs a node that can do anything with the world, its own places included: its states are outside meanwhile.
    fn exclusive(&mut self, at: usize, measure: bool) -> Result<(), Failure> {
        struct Outside<'a, 'r, W: World> {
            run: &'a mut Run<'r, W>,
            entry: &'a Entry<W>,
            states: Vec<PlaceState>,
            busy: Arc<AtomicBool>,
        }
        impl<W: World> Drop for Outside<'_, '_, W> {
            fn drop(&mut self) {
                self.busy.store(false, Ordering::Relaxed);
                if let Some(states) = self.run.states() {
                    states.put_back(self.entry.places(), &mut self.states);
                }
            }
        }
        let plan = self.plan;
        let entry = &plan.entries[at];
        let states = self.states().expect(GONE);
        if states.is_disabled(at) {
            self.skip(entry);
            return Ok(());
        }
        let busy = states.busy();
        let start = Clock::now(measure);
        let mut states = states.take_out(entry.places()).expect(GONE);
        for (place, state) in states.iter_mut().enumerate() {
            if let (None, Some(task)) = (&state, entry.node.task_of(place)) {
                *state = Some((task.init)(self.world));
            }
        }
        let states = all_there(states);
        self.current.set(entry.node.task.name);
        let mut outside = Outside { run: self, entry, states, busy };
        outside.busy.store(true, Ordering::Relaxed);
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
        let tick = unsafe { WorldCell::new(outside.run.world).entities_mut() }.next_ticks(1);
        // SAFETY: the world is borrowed mutably, nothing of it is lent, and the states are outside.
        unsafe {
            let world = WorldCell::new(outside.run.world);
            turn(plan, entry, || entry.node.run(world, &mut outside.states, tick))?;
            entry.node.finish(WorldCell::new(outside.run.world), &mut outside.states, &mut Phase::Done);
        }
        drop(outside);
        if let Some(states) = self.states() {
            states.clock.note(at, start, Clock::now(measure));
        }
        Ok(())
    }

    /// Applies the commands of the systems of a section.
    fn flush(&mut self, section: &Range<usize>) {
        let plan = self.plan;
        let entries = &plan.entries[section.clone()];
        let mut flush = Flush::new();
        for entry in entries {
            if entry.deferred {
                flush.system = entry.node.task.name;
                self.finish(entry, &mut Phase::Collect(&mut flush));
            }
        }
        flush.apply(self.world, self.current);
        for entry in entries {
            if entry.deferred {
                self.finish(entry, &mut Phase::Refill(&mut flush));
            }
        }
    }

    /// Tells the systems of a node that they are skipped, since they are switched off.
    fn skip(&mut self, entry: &Entry<W>) {
        let Some(states) = self.states() else { return };
        let Some(places) = states.of(entry.places()) else { return };
        let places = core::ptr::from_mut(places);
        // SAFETY: as in `finish`.
        unsafe { entry.node.skip(WorldCell::new(self.world), &mut *places) };
    }

    /// One phase of what is done after a node has run.
    fn finish(&mut self, entry: &Entry<W>, phase: &mut Phase<'_, W>) {
        let Some(states) = self.states() else { return };
        let Some(places) = states.of(entry.places()) else { return };
        let places = core::ptr::from_mut(places);
        // SAFETY: the world is borrowed mutably, and nobody accesses it but this node's systems, which do not reach the
        // places; these are theirs.
        unsafe { entry.node.finish(WorldCell::new(self.world), &mut *places, phase) };
    }
}

/// The states that were outside, or were made.
fn all_there(states: Vec<Option<PlaceState>>) -> Vec<PlaceState> {
    states.into_iter().map(|state| state.expect(GONE)).collect()
}

/// The outcome of a section. A panic comes before a failure, since no system after one that fails is in its wave, or in an earlier
/// one. The function is not generic, so that it is compiled with the library, and not for each world.
pub(super) fn ended(panics: Panics, done: Result<(), (usize, Failure)>) -> Result<(), (usize, Stop)> {
    match panics.first() {
        Some((at, payload)) => Err((at, Stop::Panicked(payload))),
        None => done.map_err(|(at, failure)| (at, Stop::Failed(failure))),
    }
}

/// Gives a node its turn.
///
/// # Safety
/// As for [`Node::run`](super::node::Node::run).
#[inline]
unsafe fn one<W: World>(
    plan: &Plan<W>,
    at: usize,
    world: WorldCell<'_, W>,
    states: &mut States,
    tick: u64,
    measure: bool,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        if measure || !states.disabled.is_empty() {
            return measured(plan, at, world, states, tick, measure);
        }
        let entry = &plan.entries[at];
        let places = states.places.get_mut(entry.places()).expect(GONE);
        turn(plan, entry, || entry.node.run(world, places, tick))?;
        if entry.finishes {
            entry.node.finish(world, places, &mut Phase::Done);
        }
    }
    Ok(())
}

/// A node's turn, if it is switched on, measured if so asked for.
///
/// # Safety
/// As for [`Node::run`](super::node::Node::run).
#[inline(never)]
unsafe fn measured<W: World>(
    plan: &Plan<W>,
    at: usize,
    world: WorldCell<'_, W>,
    states: &mut States,
    tick: u64,
    measure: bool,
) -> Result<(), Failure> {
    let entry = &plan.entries[at];
    let disabled = states.is_disabled(at);
    let start = Clock::now(measure);
    let places = states.places.get_mut(entry.places()).expect(GONE);
    if disabled {
        // SAFETY: the caller's promise.
        unsafe { entry.node.skip(world, places) };
        return Ok(());
    }
    // SAFETY: the caller's promise.
    unsafe {
        turn(plan, entry, || entry.node.run(world, places, tick))?;
        if entry.finishes {
            entry.node.finish(world, places, &mut Phase::Done);
        }
    }
    states.clock.note(at, start, Clock::now(measure));
    Ok(())
}

/// Calls `run`, which gives a node its turn.
#[inline(always)]
pub(super) fn turn<W: World, R>(plan: &Plan<W>, entry: &Entry<W>, run: impl FnOnce() -> R) -> R {
    #[cfg(feature = "trace")]
    let _span = {
        let (system, schedule) = (entry.node.task.name, plan.name);
        tracing::info_span!("system", system, schedule, world = W::NAME).entered()
    };
    let _ = (plan, entry);
    run()
}

/// Guard of a section that a panic or a failure has ended: drops the events and commands of its systems.
struct Broken<'a, 'r, W: World> {
    run: &'a mut Run<'r, W>,
    section: Range<usize>,
}

impl<W: World> Drop for Broken<'_, '_, W> {
    fn drop(&mut self) {
        let plan = self.run.plan;
        for entry in &plan.entries[self.section.clone()] {
            if entry.finishes {
                self.run.finish(entry, &mut Phase::Discard);
            }
        }
    }
}

impl<W: World> Drop for Run<'_, W> {
    fn drop(&mut self) {
        drop(Trim(self.world));
    }
}

/// A world from which, when a run is over, events and removed values are freed that all have read.
pub(super) struct Trim<'w, W: World>(pub(super) &'w mut W);

impl<W: World> Drop for Trim<'_, W> {
    #[inline]
    fn drop(&mut self) {
        self.0.__trim_events();
        discard::trim(self.0);
    }
}

/// Runs one system once, with a state of its own, and applies its events and commands.
pub(crate) fn once<W: World, S: System<W>>(world: &mut W) -> S::Out {
    struct Once<'w, W: World, S: System<W>> {
        world: &'w mut W,
        state: PlaceState,
        /// Whether its commands were taken out.
        done: bool,
        /// Whether the run has ended without a panic.
        over: bool,
        of: PhantomData<fn() -> S>,
    }
    impl<W: World, S: System<W>> Once<'_, W, S> {
        fn finish(&mut self, mut phase: Phase<'_, W>) {
            if S::FINISHES {
                // SAFETY: the world is borrowed mutably, nothing of it is lent, and the state is outside.
                unsafe { (S::FINISH)(WorldCell::new(self.world), &mut self.state, &mut phase) };
            }
        }
    }
    impl<W: World, S: System<W>> Drop for Once<'_, W, S> {
        fn drop(&mut self) {
            if !self.done {
                self.finish(Phase::Discard);
            }
            self.finish(Phase::Close);
            if !self.over {
                panics::tell_of_once(self.world, S::NAME);
            }
        }
    }
    discard::look(world);
    let state = (S::INIT)(world);
    let mut once = Once::<W, S> { world, state, done: false, over: false, of: PhantomData };
    // SAFETY: the world is borrowed mutably, the parameters are sound together (the caller has checked it), and the
    // state is outside of the world.
    let out = unsafe {
        let cell = WorldCell::new(once.world);
        let ticks = once.state.begin(cell.entities_mut().next_ticks(1));
        S::run(cell.at(&ticks), &mut once.state)
    };
    once.finish(Phase::Done);
    if S::FINISHES {
        let mut flush = Flush::new();
        flush.system = S::NAME;
        once.finish(Phase::Collect(&mut flush));
        once.done = true;
        flush.apply(once.world, &Cell::new(""));
    }
    (once.done, once.over) = (true, true);
    out
}
