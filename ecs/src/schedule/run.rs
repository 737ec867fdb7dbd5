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

use super::fast_path;
use super::node::{Failure, Turn};
use super::panics::{self, Panics, Stop, named};
use super::plan::{Entry, Plan, Stage};
use super::states::{self, States};
use super::timing::Clock;
use crate::base::place::Place;
use crate::base::tick::TURN;
use crate::command::flush::Flush;
use crate::error::{SystemError, Unsettled};
use crate::system::{System, SystemPhase, SystemState};
use crate::world::{World, WorldCell, discard};

/// Runs a schedule of a world.
///
/// # Panics
/// If the schedule is running already, further up the call stack; if the systems of a `react` block have still something to react
/// to after the allowed number of runs.
#[inline]
pub(crate) fn run<W: World>(world: &mut W, plan: &'static Plan<W>) {
    if !fast_path::run(world, plan) {
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
                let places = unsafe { WorldCell::new(self.world).schedule_states_mut() };
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
        discard::reindex_changed(self.world);
        let mut guard = Broken { run: self, section: section.clone() };
        let done = guard.run.systems(&section, measure);
        let (ran, failed) = match done {
            Ok(()) => (section.clone(), None),
            Err((at, Stop::Failed(failure))) => (section.start..at, Some((at, failure))),
            Err((_, Stop::Panicked(payload))) => {
                guard.run.current.set(""); // the panic says it already
                panics::resume(payload);
            }
        };
        guard.section.start = ran.end; // what has run to its end is not broken off
        if plan.entries[section.start].flushes {
            guard.run.flush(&ran);
        }
        guard.run.current.set("");
        discard::reindex_changed(guard.run.world);
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
            Home::World(index) => unsafe { cell.schedule_states_mut() }.schedules.get_mut(*index),
            Home::Own(states) => Some(&mut **states),
        };
        let states = states.expect(GONE);
        #[cfg(feature = "parallel")]
        if states.clock.spreads() && rayon::current_num_threads() > 1 {
            return super::parallel::section(plan, section, cell, states, tick, measure);
        }
        panics::in_order(Panics::default(), plan, section.clone(), |at| {
            // SAFETY: the world is borrowed mutably, and this node alone is running; it does not reach the places.
            unsafe { one(plan, at, cell, states, tick + (at - section.start) as u64 * TURN, measure) }
        })
    }

    /// Runs a node that can do anything with the world, its own places included.
    fn exclusive(&mut self, at: usize, measure: bool) -> Result<(), Failure> {
        let plan = self.plan;
        let entry = &plan.entries[at];
        let states = self.states().expect(GONE);
        if states.is_disabled(at) {
            self.skip(entry);
            return Ok(());
        }
        let busy = Busy::begin(states.busy());
        let start = Clock::now(measure);
        self.current.set(entry.node.task.name);
        self.open_vacant(entry);
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
        let tick = unsafe { WorldCell::new(self.world).entities_mut() }.next_ticks(1);
        turn(plan, entry, || self.exclusive_turn(entry, tick))?;
        self.finish(entry, &mut SystemPhase::Done);
        drop(busy);
        if let Some(states) = self.states() {
            states.clock.note(at, start, Clock::now(measure));
        }
        Ok(())
    }

    /// Asks the systems of the node's condition, and runs its system if the condition holds. Of these systems, only the one that
    /// takes the whole world and is running has its state outside of the world: so a copy of the world that it makes has the
    /// states of the others, with the readers and the blocks of entities that belong to them.
    fn exclusive_turn(&mut self, entry: &Entry<W>, tick: u64) -> Result<(), Failure> {
        let node = &entry.node;
        let holds = node.holds(|number, turn| {
            let question = &node.asked[number];
            let outside = question.task.exclusive && turn == Turn::Ask;
            self.with_state(entry.place + number, outside, |world, state| {
                // SAFETY: the world is borrowed mutably, nothing of it is lent, and the state is outside if the system takes
                // the world; else the system does not reach the places.
                unsafe { question.turn(turn, world, state, tick) }
            })
        });
        let outside = node.task.exclusive && holds;
        self.with_state(entry.place + node.asked.len(), outside, |world, state| {
            // SAFETY: as above.
            unsafe {
                if holds {
                    return node.run_system(world, state, tick);
                }
                (node.task.finish)(world, state, &mut SystemPhase::Skipped);
            }
            Ok(())
        })
    }

    /// Calls `f` with the state of a place, which is in the world meanwhile, or outside of it. One that is outside goes back at the
    /// end, also in a panic, unless the world has another state there: `f` has put another world in the place of this one then,
    /// or has brought it back to what it was.
    fn with_state<R>(
        &mut self,
        place: usize,
        outside: bool,
        f: impl FnOnce(WorldCell<'_, W>, &mut SystemState) -> R,
    ) -> R {
        struct Outside<'a, 'r, W: World> {
            run: &'a mut Run<'r, W>,
            place: usize,
            state: SystemState,
        }
        impl<W: World> Drop for Outside<'_, '_, W> {
            fn drop(&mut self) {
                let vacant = self.run.states().and_then(|states| states.places.get_mut(self.place));
                if let Some(vacant) = vacant.filter(|state| !state.is_there()) {
                    core::mem::swap(vacant, &mut self.state);
                }
            }
        }
        let state = self.states().and_then(|states| states.places.get_mut(place)).expect(GONE);
        if outside {
            let state = state.take().expect(GONE);
            let mut outside = Outside { run: self, place, state };
            return f(WorldCell::new(outside.run.world), &mut outside.state);
        }
        let state = core::ptr::from_mut(state);
        // SAFETY: the world is borrowed mutably, and nobody accesses it but the system of this place, which does not reach the
        // places; this is its own.
        f(WorldCell::new(self.world), unsafe { &mut *state })
    }

    /// Makes the states that a node does not have: the world is a copy that was made while a system of the node was running.
    fn open_vacant(&mut self, entry: &Entry<W>) {
        let mut number = 0;
        while let Some(task) = entry.node.task_of(number) {
            let at = entry.place + number;
            let is_there = |states: &mut States| states.places.get(at).is_some_and(SystemState::is_there);
            if !self.states().is_some_and(is_there) {
                let place = match self.home {
                    Home::World(schedule) => Place::Written { schedule, place: at },
                    Home::Own(_) => Place::Built { schedule: self.plan.name, system: task.name },
                };
                let state = states::open(self.world, place, task, task.init);
                if let Some(vacant) = self.states().and_then(|states| states.places.get_mut(at)) {
                    *vacant = state;
                }
            }
            number += 1;
        }
    }

    /// Applies the commands of the systems of a section.
    fn flush(&mut self, section: &Range<usize>) {
        let plan = self.plan;
        let entries = &plan.entries[section.clone()];
        let mut flush = Flush::new();
        for entry in entries {
            if entry.deferred {
                flush.system = entry.node.task.name;
                self.finish(entry, &mut SystemPhase::Collect(&mut flush));
            }
        }
        flush.apply(self.world, self.current);
        for entry in entries {
            if entry.deferred {
                self.finish(entry, &mut SystemPhase::Refill(&mut flush));
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
    fn finish(&mut self, entry: &Entry<W>, phase: &mut SystemPhase<'_, W>) {
        let Some(states) = self.states() else { return };
        let Some(places) = states.of(entry.places()) else { return };
        let places = core::ptr::from_mut(places);
        // SAFETY: the world is borrowed mutably, and nobody accesses it but this node's systems, which do not reach the
        // places; these are theirs.
        unsafe { entry.node.finish(WorldCell::new(self.world), &mut *places, phase) };
    }
}

/// That an exclusive system is running: until this is dropped.
struct Busy(Arc<AtomicBool>);

impl Busy {
    fn begin(busy: Arc<AtomicBool>) -> Self {
        busy.store(true, Ordering::Relaxed);
        Self(busy)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
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
            entry.node.finish(world, places, &mut SystemPhase::Done);
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
            entry.node.finish(world, places, &mut SystemPhase::Done);
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

/// ComponentRule of a section that a panic or a failure has ended: drops the events and commands of its systems.
struct Broken<'a, 'r, W: World> {
    run: &'a mut Run<'r, W>,
    section: Range<usize>,
}

impl<W: World> Drop for Broken<'_, '_, W> {
    fn drop(&mut self) {
        let plan = self.run.plan;
        for entry in &plan.entries[self.section.clone()] {
            if entry.finishes {
                self.run.finish(entry, &mut SystemPhase::Discard);
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
    match panics::catch(|| once_untold::<W, S>(world)) {
        Ok(out) => out,
        Err(payload) => panics::go_on_once(W::NAME, S::NAME, payload),
    }
}

fn once_untold<W: World, S: System<W>>(world: &mut W) -> S::Out {
    struct Once<'w, W: World, S: System<W>> {
        world: &'w mut W,
        state: SystemState,
        /// Whether its commands were taken out.
        done: bool,
        of: PhantomData<fn() -> S>,
    }
    impl<W: World, S: System<W>> Once<'_, W, S> {
        fn finish(&mut self, mut phase: SystemPhase<'_, W>) {
            if S::FINISHES {
                // SAFETY: the world is borrowed mutably, nothing of it is lent, and the state is outside.
                unsafe { (S::FINISH)(WorldCell::new(self.world), &mut self.state, &mut phase) };
            }
        }
    }
    impl<W: World, S: System<W>> Drop for Once<'_, W, S> {
        fn drop(&mut self) {
            if !self.done {
                self.finish(SystemPhase::Discard);
            }
            self.finish(SystemPhase::Close);
        }
    }
    discard::reindex_changed(world);
    let state = (S::INIT)(world);
    let mut once = Once::<W, S> { world, state, done: false, of: PhantomData };
    once.finish(SystemPhase::Open(None));
    // SAFETY: the world is borrowed mutably, the parameters are sound together (the caller has checked it), and the
    // state is outside of the world.
    let out = unsafe {
        let cell = WorldCell::new(once.world);
        let ticks = once.state.begin(cell.entities_mut().next_ticks(1));
        S::run(cell.at(&ticks), &mut once.state)
    };
    once.finish(SystemPhase::Done);
    if S::FINISHES {
        let mut flush = Flush::new();
        flush.system = S::NAME;
        once.finish(SystemPhase::Collect(&mut flush));
        once.done = true;
        flush.apply(once.world, &Cell::new(""));
    }
    once.done = true;
    out
}
