//! [`ScheduleRun`], the general executor: one run of a schedule, section by section. The functions
//! before it are the entry points of all runs.
#![expect(
    unsafe_code,
    reason = "systems access the world through a cell, and clashing systems run one after the other"
)]

use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

use super::condition::ConditionStep;
use super::failures::{Failures, SystemFailure};
use super::fast_path;
use super::observers;
use super::output::Failure;
use super::panics::{self, Panics, SectionError, report_panics};
use super::plan::{Plan, PlanEntry, Stage};
use super::states::{self, PlaceStates, RunningFlag};
use super::timing::ScheduleTimes;
use super::watch::{self, StepPart, SystemStep};
use crate::base::place::Place;
use crate::base::tick::{TURN, Tick};
use crate::command::flush::Flush;
use crate::error::{SystemError, Unsettled, UnsettledObservers};
use crate::raw_world::{RawWorld, WorldCell, discard};
use crate::system::failure::Contained;
use crate::system::{SystemKind, SystemPhase, SystemState};

/// Runs a schedule of a world.
///
/// # Panics
/// If the schedule is running already, further up the call stack. If the systems of a `react` block
/// still have unread events or changes after the maximal number of runs.
#[inline]
pub(crate) fn run<W: RawWorld>(world: &mut W, plan: &'static Plan<'static, W>) {
    if !fast_path::run(world, plan) {
        run_general(world, plan);
    }
}

/// Runs a schedule without fallible systems with the general executor.
#[inline(never)]
fn run_general<W: RawWorld>(world: &mut W, plan: &'static Plan<'static, W>) {
    if let Err(error) = run_fallible(world, plan) {
        panic!("{error}"); // of a `react` block, or of observers: no system of this schedule can fail
    }
}

/// Runs a schedule whose systems may fail.
///
/// # Errors
/// The error of the first system that fails; no system after it runs.
///
/// # Panics
/// If the schedule is running already, further up the call stack.
pub(crate) fn run_fallible<W: RawWorld>(
    world: &mut W,
    plan: &'static Plan<'static, W>,
) -> Result<(), SystemError> {
    run_collecting(world, plan, &mut Vec::new())
}

/// Runs a schedule whose systems end only themselves if they fail. Returns their failures.
///
/// # Panics
/// As [`run`].
pub(crate) fn run_contained<W: RawWorld>(world: &mut W, plan: &'static Plan<'static, W>) -> Failures {
    let mut failures = Failures::new();
    if let Err(error) = run_collecting(world, plan, &mut failures.0) {
        panic!("{error}"); // as in `run_general`
    }
    failures
}

/// Runs a schedule, once for each step of its clock. The failures of systems that end only
/// themselves are added to `failures`.
fn run_collecting<W: RawWorld>(
    world: &mut W,
    plan: &'static Plan<'static, W>,
    failures: &mut Vec<SystemFailure>,
) -> Result<(), SystemError> {
    let Some(every) = plan.every else { return run_stages(world, plan, failures) };
    let mut taken = 0;
    while every(world, taken) {
        run_stages(world, plan, failures)?;
        taken += 1;
    }
    Ok(())
}

/// Skips all systems of a schedule of a world, which `in_state` has refused where another schedule
/// names it.
pub(super) fn skip_all<W: RawWorld>(world: &mut W, plan: &'static Plan<'static, W>) {
    let current = Cell::new("");
    let mut run = ScheduleRun::new(world, plan, StatesLocation::World(plan.index), &current);
    for entry in plan.entries.iter() {
        // the state of an exclusive system that is running is outside of the world
        let places = run.states().and_then(|states| states.of(entry.places()));
        if places.is_some_and(|places| places.iter().all(SystemState::is_there)) {
            run.skip(entry, true);
        }
    }
}

/// Runs all stages of a schedule once.
#[inline]
fn run_stages<W: RawWorld>(
    world: &mut W,
    plan: &'static Plan<'static, W>,
    failures: &mut Vec<SystemFailure>,
) -> Result<(), SystemError> {
    let current = Cell::new("");
    report_panics(world, plan.name, &current, |world| {
        if W::OBSERVERS == Some(plan.index) {
            return observers::run(world, &current);
        }
        let mut run = ScheduleRun::of_world(world, plan, &current);
        let done = run.all();
        failures.append(&mut run.failures);
        done
    })
}

/// The panic's message if the states of a world's schedules are missing.
pub(super) const MISSING_STATE: &str = "the world has a state for each place of its schedules";

/// The location of a schedule's states.
pub(super) enum StatesLocation<'r> {
    /// In the world, at this index.
    World(usize),
    /// In a run-time schedule, outside of the world.
    Schedule(&'r mut PlaceStates),
}

/// Runs the system at one place of a schedule as a run of the schedule does, with its condition and
/// its state, unless it is switched off. Its events are sent and its commands are applied at once.
///
/// # Errors
/// If the system fails.
///
/// # Panics
/// If the schedule is running, further up the call stack.
pub(crate) fn step_node<W: RawWorld>(
    world: &mut W,
    plan: &'static Plan<'static, W>,
    node: usize,
) -> Result<(), SystemError> {
    let current = Cell::new("");
    report_panics(world, plan.name, &current, |world| ScheduleRun::of_world(world, plan, &current).step(node))
}

/// One run of a schedule.
pub(super) struct ScheduleRun<'r, W: RawWorld> {
    pub(super) world: &'r mut W,
    plan: &'r Plan<'r, W>,
    location: StatesLocation<'r>,
    /// The name of the system that is running; empty if none is, or its panic was reported already.
    current: &'r Cell<&'static str>,
    /// Marks the schedule as running, so that a system or command with the whole world cannot run
    /// it again.
    running: Option<RunningFlag>,
    /// The failures of systems that have ended only themselves.
    failures: Vec<SystemFailure>,
}

impl<'r, W: RawWorld> ScheduleRun<'r, W> {
    /// Begins a run of a schedule of the world.
    ///
    /// # Panics
    /// If the schedule is running already.
    pub(super) fn of_world(world: &'r mut W, plan: &'r Plan<'r, W>, current: &'r Cell<&'static str>) -> Self {
        let mut run = Self::new(world, plan, StatesLocation::World(plan.index), current);
        if let Some(states) = run.states() {
            states.check_not_running::<W>(plan.name);
        }
        run
    }

    /// Begins a run, or a part of one.
    pub(super) fn new(
        world: &'r mut W,
        plan: &'r Plan<'r, W>,
        location: StatesLocation<'r>,
        current: &'r Cell<&'static str>,
    ) -> Self {
        Self { world, plan, location, current, running: None, failures: Vec::new() }
    }

    /// Marks the schedule as running until the run ends. A system or a command may have replaced
    /// the world since the last call, by a clone, which is not marked.
    #[inline]
    pub(super) fn mark_running(&mut self) {
        if let Some(states) = self.states()
            && !states.is_running()
        {
            let flag = states.mark_running();
            self.running = Some(flag);
        }
    }

    /// The states of the schedule. No other borrow of the world's data may be alive.
    #[inline]
    fn states(&mut self) -> Option<&mut PlaceStates> {
        match &mut self.location {
            StatesLocation::World(index) => states::of_mut(self.world).schedules.get_mut(*index),
            StatesLocation::Schedule(states) => Some(states),
        }
    }

    /// Runs one node as a section of its own, after the gates of its groups: its commands are
    /// applied at once.
    ///
    /// # Errors
    /// If its system fails.
    pub(super) fn step(mut self, node: usize) -> Result<(), SystemError> {
        self.mark_running();
        let measure = self.states().is_some_and(|states| {
            // the step runs an observer without a trigger, too, and a system of a group that was
            // closed
            states.idle.clear();
            states.closed.clear();
            states.closed_by_state.clear();
            states.clock.table.is_some()
        });
        let mut gates = Vec::new();
        let mut outer = self.plan.entries[node].gate;
        while let Some(gate) = outer {
            gates.push(gate);
            outer = self.plan.entries[gate].gate;
        }
        for at in gates.into_iter().rev().chain([node]) {
            self.section(at..at + 1, measure)?;
        }
        match self.failures.pop() {
            None => Ok(()),
            Some(SystemFailure { schedule, system, reason, .. }) => {
                Err(SystemError { system, schedule, world: W::WORLD_NAME, source: reason.into() })
            }
        }
    }

    /// Runs all stages.
    fn all(&mut self) -> Result<(), SystemError> {
        let plan = self.plan;
        self.mark_running();
        let measure = self.needs_measuring();
        self.observe()?;
        let mut start = 0;
        // a `react` block is repeated, any other section runs once
        while let Some(first) = plan.entries.get(start) {
            if let Some(&Stage { react: Some(most) }) = plan.stages.get(first.node.stage) {
                start = self.react(start, most, measure)?;
            } else {
                self.section(start..first.end, measure)?;
                start = first.end;
            }
            // observers see the changes of a stage, with its commands, before the next stage begins
            if self.ends_stage(start) {
                self.observe()?;
            }
        }
        self.end_measuring(measure);
        Ok(())
    }

    /// Decides which waves run on several threads, after a run that was measured.
    pub(super) fn end_measuring(&mut self, measure: bool) {
        let plan = self.plan;
        if measure && let Some(states) = self.states() {
            states.clock.decide_parallel_waves(plan.any());
        }
    }

    /// Whether a node, which follows a section, is in another stage than the node before it, or
    /// there is none.
    pub(super) fn ends_stage(&self, next: usize) -> bool {
        W::OBSERVERS.is_some()
            && self.plan.entries.get(next).is_none_or(|next_entry| {
                self.plan.entries[next.saturating_sub(1)].node.stage != next_entry.node.stage
            })
    }

    /// Runs the world's observers, if it has any, until no trigger waits.
    ///
    /// # Errors
    /// If triggers still wait after the maximal number of rounds.
    #[inline(always)]
    pub(super) fn observe(&mut self) -> Result<(), SystemError> {
        if W::OBSERVERS.is_none() {
            return Ok(());
        }
        let result = observers::run_within(self.world);
        self.mark_running();
        result
    }

    /// Runs a `react` block until none of its systems has unread events or changes. Returns the
    /// index after its last node.
    ///
    /// Unread events of a system whose condition has refused it do not keep the block running: it
    /// is run once more, since another system may have changed the condition, and then ends.
    ///
    /// # Errors
    /// If a system fails, or the block does not settle within `most` runs.
    pub(super) fn react(&mut self, start: usize, most: u32, measure: bool) -> Result<usize, SystemError> {
        let plan = self.plan;
        let stage = plan.entries[start].node.stage;
        let mut end = start;
        while end < plan.entries.len() && plan.entries[end].node.stage == stage {
            end += 1;
        }
        let mut refused_before = false;
        // one run of the block: its sections in order; an observer runs only if something has
        // triggered it
        for left in (0..most).rev() {
            let begin = WorldCell::new(self.world).this_run();
            let mut at = start;
            while at < end {
                let section = at..plan.entries[at].end;
                at = section.end;
                if W::OBSERVERS != Some(plan.index) || self.find_triggered(&section) {
                    self.section(section, measure)?;
                }
            }
            // is there anything left to read? A refused system reads nothing, so its events alone
            // are no reason
            let (mut any, mut any_refused) = (false, false);
            for node in start..end {
                if self.has_news(node) {
                    let refused = self.has_been_refused(node, begin);
                    any |= !refused;
                    any_refused |= refused;
                }
            }
            // one more run for refused systems, then the block ends with their events unread
            if !any && (!any_refused || refused_before || left == 0) {
                return Ok(end);
            }
            refused_before = !any;
        }
        // not settled: the error names the systems that still have something to read
        let mut systems = Vec::new();
        for node in start..end {
            if self.has_news(node) {
                systems.push(plan.entries[node].node.task.name);
            }
        }
        if W::OBSERVERS == Some(plan.index) {
            return Err(UnsettledObservers { observers: systems, most }.in_world(plan.name, W::WORLD_NAME));
        }
        Err(Unsettled { systems, most }.in_schedule(plan.name, W::WORLD_NAME))
    }

    /// Marks the observers of a section that have no trigger, so that they are skipped. Returns
    /// whether another one has a trigger.
    fn find_triggered(&mut self, section: &Range<usize>) -> bool {
        let mut any = false;
        for at in section.clone() {
            // a gate is asked if a node of its group has a trigger
            let group = at..self.plan.entries[at].group_end.max(at + 1);
            let triggered = group.clone().any(|at| self.has_news(at));
            any |= triggered;
            let nodes = self.plan.entries.len();
            if let Some(states) = self.states() {
                states.idle.resize(nodes, false);
                states.idle[at] = !triggered;
            }
        }
        any
    }

    /// Whether the system of a node has a condition, or is in a group, and has not run since a
    /// tick.
    fn has_been_refused(&mut self, at: usize, since: u64) -> bool {
        let entry = &self.plan.entries[at];
        if entry.node.conditions.is_empty() && entry.gate.is_none() {
            return false;
        }
        let places = self.states().and_then(|states| states.of(entry.places()));
        places.and_then(|places| places.last()).is_some_and(|state| state.ticks.last_run < since)
    }

    /// Whether the system of a node is switched on, and has unread events or changes.
    pub(super) fn has_news(&mut self, at: usize) -> bool {
        let entry = &self.plan.entries[at];
        let Some(states) = self.states() else { return false };
        if states.is_disabled(at) {
            return false;
        }
        let Some(places) = states.of(entry.places()) else { return false };
        let places = core::ptr::from_mut(places);
        // SAFETY: the world is borrowed mutably, and the only other borrow is that of the node's
        // own states: `has_news` does not access the schedule states through the world.
        unsafe { entry.node.has_news(WorldCell::new(self.world), &mut *places) }
    }

    /// Whether this run measures the time that systems take, as it does while a function watches.
    #[inline]
    pub(super) fn needs_measuring(&mut self) -> bool {
        let blocks = WorldCell::new(self.world).entities().blocks();
        let is_due = match self.states() {
            Some(states) => states.clock.is_due(blocks),
            None => false,
        };
        is_due || states::of(self.world).watch.is_some()
    }

    /// Runs the systems between two flushes, and then applies their commands.
    pub(super) fn section(&mut self, section: Range<usize>, measure: bool) -> Result<(), SystemError> {
        let plan = self.plan;
        self.current.set("");
        discard::reindex_changed(self.world);
        let mut guard = SectionGuard { run: self, section: section.clone() };
        let result = guard.run.systems(&section, measure);
        guard.run.contain(&section);
        let (completed, failed) = match result {
            Ok(()) => (section.clone(), None),
            Err((at, SectionError::Failed(failure))) => (section.start..at, Some((at, failure))),
            #[cfg_attr(
                not(feature = "reflect"),
                expect(unused_variables, reason = "the index is only recorded")
            )]
            Err((at, SectionError::Panicked(payload))) => {
                #[cfg(feature = "reflect")]
                super::by_name::record_panic(
                    guard.run.world,
                    plan.name,
                    plan.entries[at].node.task.name,
                    &payload,
                );
                guard.run.current.set(""); // the panic was reported with its system already
                panics::resume(payload);
            }
        };
        guard.section.start = completed.end; // the guard must not discard what completed systems have deferred
        let first = &plan.entries[section.start];
        if first.flushes || (section.len() == 1 && first.deferred) {
            guard.run.flush(&completed);
        }
        guard.run.current.set("");
        discard::reindex_changed(guard.run.world);
        match failed {
            None => {
                core::mem::forget(guard);
                Ok(())
            }
            Some((at, source)) => {
                let system = plan.entries[at].node.task.name;
                #[cfg(feature = "reflect")]
                super::by_name::record_error(guard.run.world, plan.name, system, alloc::format!("{source}"));
                Err(SystemError { system, schedule: plan.name, world: W::WORLD_NAME, source })
            }
        }
    }

    /// Drops what the systems of a section have deferred that have failed and end only themselves,
    /// and keeps their failures.
    fn contain(&mut self, section: &Range<usize>) {
        let plan = self.plan;
        if !plan.contains_failures {
            return;
        }
        for at in section.clone() {
            let entry = &plan.entries[at];
            let Some(places) = self.states().and_then(|states| states.of(entry.places())) else { continue };
            let Some(state) = places.last_mut() else { continue };
            let Some(failed) = state.take_failed() else { continue };
            let state = core::ptr::from_mut(state);
            // SAFETY: the world is borrowed mutably, and the only other borrow is that of the
            // system's own state; no phase of a system accesses the schedule states.
            unsafe { entry.node.discard(WorldCell::new(self.world), &mut *state) };
            let (schedule, system) = (plan.name, entry.node.task.name);
            match failed {
                Contained::Nested(failures) => self.failures.extend(failures),
                Contained::One { reason, panicked } => {
                    let tick = Tick(WorldCell::new(self.world).this_run());
                    let failure = SystemFailure { schedule, system, reason, panicked, tick };
                    #[cfg(feature = "reflect")]
                    super::by_name::record(self.world, failure.clone());
                    self.failures.push(failure);
                }
            }
        }
    }

    /// Runs the systems of a section.
    ///
    /// # Errors
    /// The failure or panic of a system, with the index of its node.
    fn systems(&mut self, section: &Range<usize>, measure: bool) -> Result<(), (usize, SectionError)> {
        let plan = self.plan;
        if plan.entries[section.start].exclusive {
            let result = self.exclusive(section.start, measure);
            self.mark_running();
            return result.map_err(|failure| (section.start, SectionError::Failed(failure)));
        }
        let is_watched = measure && states::of(self.world).watch.is_some();
        let cell = WorldCell::new(self.world);
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the
        // statement.
        let tick = unsafe { cell.entities_mut() }.next_ticks(section.len());
        let in_world = |index: usize| {
            // SAFETY: the world is borrowed mutably, and no system of this section accesses the
            // schedule states: only an exclusive one could.
            let states = unsafe { cell.schedule_states_mut() };
            states.schedules.get_mut(index).expect(MISSING_STATE)
        };
        let (states, index) = match &mut self.location {
            StatesLocation::World(index) => (in_world(*index), Some(*index)),
            StatesLocation::Schedule(states) => (&mut **states, None),
        };
        let watched = measure || plan.has_groups || states.may_skip();
        #[cfg(feature = "parallel")]
        if section.len() > 1
            && !is_watched
            && states.clock.has_parallel_waves()
            && rayon::current_num_threads() > 1
        {
            return super::parallel::section(plan, section, cell, states, tick, measure);
        }
        panics::run_in_order(Panics::default(), plan, section.clone(), |at| {
            // SAFETY: the world is borrowed mutably, and no other node is running; the systems of a
            // node that is not exclusive do not access the schedule states.
            unsafe {
                let tick = tick + (at - section.start) as u64 * TURN;
                if is_watched {
                    // borrowed anew, since the function that watches reads the whole world
                    let states = match index {
                        Some(index) => in_world(index),
                        None => &mut *states,
                    };
                    let is_off = states.is_skipped(at);
                    step_watched(plan, at, cell, states, tick, true)?;
                    if !is_off {
                        watch::call(cell.world_mut(), watched_step(plan, at));
                    }
                    return Ok(());
                }
                if watched {
                    return step_watched(plan, at, cell, states, tick, measure);
                }
                let entry = &plan.entries[at];
                let places = states.places.get_mut(entry.places()).expect(MISSING_STATE);
                step::<W, false>(plan, entry, cell, places, tick)
            }
        })
    }

    /// Runs an exclusive node, which may do anything with the world, even replace it and its
    /// schedule states.
    fn exclusive(&mut self, at: usize, measure: bool) -> Result<(), Failure> {
        let plan = self.plan;
        let entry = &plan.entries[at];
        let states = self.states().expect(MISSING_STATE);
        // a system in the background also runs if the condition of its group refuses it
        let refused = entry.node.task.desc.runs_if_refused() && states.is_closed(at);
        let is_off = if refused { states.is_disabled(at) } else { states.is_skipped(at) };
        if is_off {
            let by_state = states.is_closed_by_state(at);
            self.skip(entry, by_state);
            return Ok(());
        }
        let start = ScheduleTimes::now(measure);
        self.current.set(entry.node.task.name);
        self.open_missing(entry);
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the
        // statement.
        let tick = unsafe { WorldCell::new(self.world).entities_mut() }.next_ticks(1);
        with_span(plan, entry, || self.run_exclusive(entry, tick, refused))?;
        self.finish(entry, &mut SystemPhase::Done);
        if let Some(states) = self.states() {
            states.end_step(entry, at, tick, start, ScheduleTimes::now(measure));
        }
        if measure {
            watch::call(self.world, watched_step(plan, at));
        }
        Ok(())
    }

    /// Evaluates the node's condition, and runs its system if the condition holds. While a system
    /// that takes the whole world is running, its own state is outside of the world, and the states
    /// of the node's other systems are in the world. So a copy of the world that the system makes
    /// has their states, together with their event readers and reserved blocks of slots.
    ///
    /// If the group of the node has `refused` it, its condition is skipped, and does not hold.
    fn run_exclusive(&mut self, entry: &PlanEntry<W>, tick: u64, refused: bool) -> Result<(), Failure> {
        let node = &entry.node;
        let mut step = |index: usize, step| {
            let step = if refused { ConditionStep::Skip } else { step };
            let condition = &node.conditions[index];
            let outside = condition.task.desc.is_exclusive() && step == ConditionStep::Evaluate;
            self.with_state(entry.place + index, outside, |world, state| {
                // SAFETY: the world is borrowed mutably. The only other borrow is that of the
                // state: it is outside of the world if the system takes the world, and otherwise
                // the system does not access the schedule states.
                unsafe { condition.step(step, world, state, tick) }
            })
        };
        let holds = node.holds(&mut step) && !refused;
        let by_state = !holds && !refused && node.is_refused_by_state(&mut step);
        let runs = holds || node.task.desc.runs_if_refused();
        let outside = node.task.desc.is_exclusive() && runs;
        self.with_state(entry.place + node.conditions.len(), outside, |world, state| {
            // SAFETY: the world is borrowed mutably. The only other borrow is that of the state: it
            // is outside of the world if the system runs and takes the world, and otherwise the
            // system does not access the schedule states.
            unsafe {
                if !holds {
                    if by_state && node.gate > 0 {
                        state.skip(); // for the nodes of the group
                    }
                    let mut phase =
                        if runs { SystemPhase::Refused } else { SystemPhase::Skipped { by_state } };
                    node.task.desc.finish(world, state, &mut phase);
                }
                if runs { node.run_system(world, state, tick) } else { Ok(()) }
            }
        })?;
        if let (true, SystemKind::Schedule(skip_inner)) = (by_state, &node.task.desc.kind) {
            skip_inner(self.world);
        }
        Ok(())
    }

    /// Calls `f` with the state of a place. If `outside`, the state is moved out of the world
    /// meanwhile, and is put back at the end, even after a panic. It is dropped instead if the
    /// world then has another state at this place: `f` has replaced the world by another one, or
    /// restored a snapshot.
    fn with_state<R>(
        &mut self,
        place: usize,
        outside: bool,
        f: impl FnOnce(WorldCell<'_, W>, &mut SystemState) -> R,
    ) -> R {
        struct Outside<'a, 'r, W: RawWorld> {
            run: &'a mut ScheduleRun<'r, W>,
            place: usize,
            state: SystemState,
        }
        impl<W: RawWorld> Drop for Outside<'_, '_, W> {
            fn drop(&mut self) {
                let missing = self.run.states().and_then(|states| states.places.get_mut(self.place));
                if let Some(missing) = missing.filter(|state| !state.is_there()) {
                    core::mem::swap(missing, &mut self.state);
                }
            }
        }
        let state = self.states().and_then(|states| states.places.get_mut(place)).expect(MISSING_STATE);
        if outside {
            let state = state.take().expect(MISSING_STATE);
            let mut outside = Outside { run: self, place, state };
            return f(WorldCell::new(outside.run.world), &mut outside.state);
        }
        let state = core::ptr::from_mut(state);
        // SAFETY: the world is borrowed mutably, and only the system of this place accesses it. As
        // that system does not take the world now, it does not access the schedule states, so that
        // this is the only borrow of the state.
        f(WorldCell::new(self.world), unsafe { &mut *state })
    }

    /// Creates the missing states of a node. A state is missing if the world is a copy that was
    /// made while its system was running.
    fn open_missing(&mut self, entry: &PlanEntry<W>) {
        // the system of the node and its conditions: each has a state of its own
        let mut index = 0;
        while let Some(task) = entry.node.task_of(index) {
            let at = entry.place + index;
            let is_there =
                |states: &mut PlaceStates| states.places.get(at).is_some_and(SystemState::is_there);
            if !self.states().is_some_and(is_there) {
                let place = match self.location {
                    StatesLocation::World(schedule) => Place::Written { schedule, place: at },
                    StatesLocation::Schedule(_) => {
                        Place::Built { schedule: self.plan.name, system: task.name }
                    }
                };
                // the system starts as in a world in which it has not run yet
                let state = states::open(self.world, place, task.desc, |world| task.desc.new_state(world));
                if let Some(missing) = self.states().and_then(|states| states.places.get_mut(at)) {
                    *missing = state;
                }
            }
            index += 1;
        }
    }

    /// Applies the commands of the systems in a section, in the order of the text.
    fn flush(&mut self, section: &Range<usize>) {
        let plan = self.plan;
        let entries = &plan.entries[section.clone()];
        let mut flush = Flush::new((plan.name, plan.entries[section.start].node.stage));
        // collect all queues before the first command is applied: it may replace the world and its
        // states
        for entry in entries {
            if entry.deferred {
                flush.system = entry.node.task.name;
                self.finish(entry, &mut SystemPhase::Collect(&mut flush));
            }
        }
        flush.apply(self.world, self.current);
        // a command may have replaced the world by one that does not know of this run
        self.mark_running();
        // ids for the next run, from the world as it is after all commands
        for entry in entries {
            if entry.deferred {
                self.finish(entry, &mut SystemPhase::Refill(&mut flush));
            }
        }
    }

    /// Runs [`SystemPhase::Skipped`] for the systems of a node that is switched off, or in a group
    /// that is closed, `by_state` if `in_state` has closed it.
    fn skip(&mut self, entry: &PlanEntry<W>, by_state: bool) {
        let Some(states) = self.states() else { return };
        let Some(places) = states.of(entry.places()) else { return };
        let places = core::ptr::from_mut(places);
        // SAFETY: the world is borrowed mutably, and the only other borrow is that of the node's
        // own states; the `Skipped` phase of a system does not access the schedule states.
        unsafe { entry.node.skip(WorldCell::new(self.world), &mut *places, by_state) };
        if let (true, SystemKind::Schedule(skip_inner)) = (by_state, &entry.node.task.desc.kind) {
            skip_inner(self.world);
        }
    }

    /// Runs a phase for the systems of a node that have work left after they have run.
    fn finish(&mut self, entry: &PlanEntry<W>, phase: &mut SystemPhase<'_, W>) {
        let Some(states) = self.states() else { return };
        let Some(places) = states.of(entry.places()) else { return };
        let places = core::ptr::from_mut(places);
        // SAFETY: the world is borrowed mutably, and the only other borrow is that of the node's
        // own states; no phase of a system accesses the schedule states.
        unsafe { entry.node.finish(WorldCell::new(self.world), &mut *places, phase) };
    }
}

/// The run of a node's system, for the function that watches the world.
fn watched_step<W: RawWorld>(plan: &Plan<'_, W>, at: usize) -> SystemStep {
    let node = &plan.entries[at].node;
    SystemStep { schedule: plan.name, stage: node.stage, system: node.task.name, part: StepPart::Run }
}

/// The step of a run for one node, in every executor: runs its systems at a tick, and finishes
/// them. `PLAIN` is whether the [plan is plain](Plan::is_plain), which spares the [fast
/// path](super::fast_path) questions.
///
/// The executor for several threads does the two parts by themselves: [`run_node`] on any thread,
/// the rest when the wave has ended.
///
/// # Safety
/// The contract of [`Node::run`](super::node::Node::run). The plan is plain if `PLAIN`.
#[inline(always)]
pub(super) unsafe fn step<W: RawWorld, const PLAIN: bool>(
    plan: &Plan<'_, W>,
    entry: &PlanEntry<W>,
    world: WorldCell<'_, W>,
    places: &mut [SystemState],
    tick: u64,
) -> Result<(), Failure> {
    // SAFETY: the caller keeps the contract of `Node::run`, which includes that of `Node::finish`;
    // the nodes of a plain plan are plain.
    unsafe {
        match &mut *places {
            [state] if PLAIN => with_span(plan, entry, || match plan.is_timed {
                true => entry.node.run_plain(world, state, tick),
                false => entry.node.run_without_ticks(world, state),
            }),
            places => run_node(plan, entry, world, places, tick)?,
        }
        if !PLAIN && entry.finishes {
            entry.node.finish(world, places, &mut SystemPhase::Done);
        }
        if entry.may_reindex() {
            discard::reindex_after(world, tick);
        }
    }
    Ok(())
}

/// The first part of a [`step`].
///
/// # Safety
/// The contract of [`Node::run`](super::node::Node::run).
#[inline(always)]
pub(super) unsafe fn run_node<W: RawWorld>(
    plan: &Plan<'_, W>,
    entry: &PlanEntry<W>,
    world: WorldCell<'_, W>,
    places: &mut [SystemState],
    tick: u64,
) -> Result<(), Failure> {
    // SAFETY: the caller keeps the contract of `Node::run`.
    with_span(plan, entry, || unsafe { entry.node.run(world, places, tick) })
}

/// The [`step`] of a node that may be switched off or in a group that is closed, or is measured. It
/// is not inlined.
///
/// # Safety
/// The contract of [`step`], where `states` are those of the schedule.
#[inline(never)]
unsafe fn step_watched<W: RawWorld>(
    plan: &Plan<'_, W>,
    at: usize,
    world: WorldCell<'_, W>,
    states: &mut PlaceStates,
    tick: u64,
    measure: bool,
) -> Result<(), Failure> {
    let entry = &plan.entries[at];
    let (is_off, by_state) = (states.is_skipped(at), states.is_closed_by_state(at));
    let start = ScheduleTimes::now(measure);
    let places = states.places.get_mut(entry.places()).expect(MISSING_STATE);
    // SAFETY: the caller keeps clashing accesses away, and these are the states of the node's
    // places.
    unsafe {
        if is_off {
            entry.node.skip(world, places, by_state);
            return Ok(());
        }
        step::<W, false>(plan, entry, world, places, tick)?;
    }
    states.end_step(entry, at, tick, start, ScheduleTimes::now(measure));
    Ok(())
}

/// Calls `run`, which runs a node; with the feature `trace`, within a span that names the system.
#[inline(always)]
fn with_span<W: RawWorld, R>(plan: &Plan<'_, W>, entry: &PlanEntry<W>, run: impl FnOnce() -> R) -> R {
    #[cfg(feature = "trace")]
    let _span = {
        let (system, schedule) = (entry.node.task.name, plan.name);
        tracing::info_span!("system", system, schedule, world = W::WORLD_NAME).entered()
    };
    let _ = (plan, entry);
    run()
}

/// Guard around a section: if a panic or a failure ends it, drops the events and commands of the
/// systems in `section`.
struct SectionGuard<'a, 'r, W: RawWorld> {
    run: &'a mut ScheduleRun<'r, W>,
    section: Range<usize>,
}

impl<W: RawWorld> Drop for SectionGuard<'_, '_, W> {
    fn drop(&mut self) {
        let plan = self.run.plan;
        self.run.contain(&self.section.clone()); // no failure of this run is left for the next one
        for entry in &plan.entries[self.section.clone()] {
            if entry.finishes {
                self.run.finish(entry, &mut SystemPhase::Discard);
            }
        }
    }
}

impl<W: RawWorld> Drop for ScheduleRun<'_, W> {
    fn drop(&mut self) {
        drop(TrimGuard(self.world));
    }
}

/// Guard around a run: when it is dropped, frees the events and removed values that all readers
/// have read.
pub(super) struct TrimGuard<'w, W: RawWorld>(pub(super) &'w mut W);

impl<W: RawWorld> Drop for TrimGuard<'_, W> {
    #[inline]
    fn drop(&mut self) {
        self.0.__trim_events();
        discard::trim(self.0);
    }
}
