//! [`ScheduleStates`]: the states of the systems in a world's schedules, their settings, and how
//! they are created, copied and saved.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::TypeId;
use core::mem::swap;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use super::dynamic::Schedule;
#[cfg(feature = "reflect")]
use super::failures::Failures;
use super::node::Task;
use super::plan::{AnyPlan, NoWorld, Plan, PlanEntry, any_plans};
use super::timing::{Instant, Parallelism, ScheduleTimes, Timing};
use super::tokens::{ScheduleEdits, ScheduleTokens};
use super::watch::Watch;
use crate::base::place::Place;
use crate::command::failed_command::FailedCommands;
use crate::entity::regrouped::Regrouped;
use crate::raw_world::{ErasedStates, RawWorld, WorldCell};
use crate::schedule::plan::plans;
use crate::system::{System, SystemDesc, SystemPhase, SystemState};

/// The states of the systems of a world's schedules.
#[derive(Default, Debug)]
pub struct ScheduleStates {
    pub(super) schedules: Vec<PlaceStates>,
    pub(crate) failed_commands: FailedCommands,
    /// The tokens of the run-time schedules that belong to this world.
    pub(super) tokens: ScheduleTokens,
    /// The requested edits of run-time schedules.
    pub(super) edits: ScheduleEdits,
    /// The function that watches this world, not its copies.
    pub(super) watch: Watch,
    /// The last failures of systems.
    #[cfg(feature = "reflect")]
    pub(crate) failures: Failures,
}

/// Settings of the schedules, for the methods of [`Schedules`](crate::Schedules).
impl ScheduleStates {
    /// Sets the parallelism of all schedules.
    pub(crate) fn set_parallelism(&mut self, parallelism: Parallelism) {
        self.schedules.iter_mut().for_each(|states| states.clock.parallelism = parallelism);
    }

    /// Starts or stops measuring the run times of systems.
    pub(crate) fn time_systems(&mut self, on: bool) {
        self.schedules.iter_mut().for_each(|states| states.clock.table = on.then(Vec::new));
    }

    /// Replaces the function that watches the world.
    pub(super) fn set_watch(&mut self, watch: Watch) {
        self.schedules.iter_mut().for_each(|states| states.clock.watched = watch.is_some());
        self.watch = watch;
    }

    /// The run times of the systems, schedule by schedule, in the order of the text.
    pub(crate) fn timings(&self, plans: &[&AnyPlan<'_>]) -> Vec<Timing> {
        let schedules = plans.iter().zip(&self.schedules);
        schedules.flat_map(|(plan, states)| states.clock.timings(plan)).collect()
    }

    /// Switches a system on or off in all its places, and returns their number.
    pub(crate) fn enable(&mut self, plans: &[&AnyPlan<'_>], system: TypeId, on: bool) -> usize {
        self.enable_where(plans, &|task| task.id == system, on)
    }

    /// Switches the systems for which `is` holds on or off, and returns the number of their places.
    pub(super) fn enable_where(
        &mut self,
        plans: &[&AnyPlan<'_>],
        is: &dyn Fn(&Task<NoWorld>) -> bool,
        on: bool,
    ) -> usize {
        let mut found = 0;
        for (plan, states) in plans.iter().zip(&mut self.schedules) {
            for (at, _) in plan.entries.iter().enumerate().filter(|(_, entry)| is(&entry.node.task)) {
                states.disabled.resize(plan.entries.len(), false);
                states.disabled[at] = !on;
                found += 1;
            }
        }
        found
    }

    /// Queues an edit of a run-time schedule.
    pub(crate) fn edit<W: RawWorld>(
        &mut self,
        schedule: &'static str,
        edit: impl FnOnce(&mut Schedule<W>, &mut W) + Clone + Send + Sync + 'static,
    ) {
        self.edits.push(schedule, edit);
    }

    /// Whether a system is switched on in at least one place.
    pub(crate) fn is_enabled(&self, plans: &[&AnyPlan<'_>], system: TypeId) -> bool {
        self.is_enabled_where(plans, &|task| task.id == system)
    }

    /// Whether a system for which `is` holds is switched on in at least one place.
    pub(super) fn is_enabled_where(
        &self,
        plans: &[&AnyPlan<'_>],
        is: &dyn Fn(&Task<NoWorld>) -> bool,
    ) -> bool {
        plans.iter().zip(&self.schedules).any(|(plan, states)| {
            let mut nodes = plan.entries.iter().enumerate();
            nodes.any(|(at, entry)| is(&entry.node.task) && !states.is_disabled(at))
        })
    }
}

impl ScheduleStates {
    /// Replaces the ids that the library keeps in the states of systems, after entities were moved
    /// to other slots.
    pub(crate) fn regrouped(&mut self, moved: &Regrouped) {
        self.schedules
            .iter_mut()
            .flat_map(|states| &mut states.places)
            .for_each(|state| state.regrouped(moved));
    }
}

/// The names of the schedule and of the system at a place.
pub fn system_names<W: RawWorld>(place: Place) -> (&'static str, &'static str) {
    names_in(any_plans::<W>(), place)
}

/// The names of the schedule and of the system at a place, from the plans of the world.
fn names_in(plans: &[&'static AnyPlan<'static>], place: Place) -> (&'static str, &'static str) {
    match place {
        Place::Built { schedule, system } => (schedule, system),
        Place::Written { schedule, place } => {
            let Some(plan) = plans.get(schedule) else { return ("", "") };
            let mut tasks = plan.entries.iter().flat_map(|entry| entry.node.tasks());
            (plan.name, tasks.nth(place).map_or("", |task| task.name))
        }
    }
}

/// The states of one schedule.
#[derive(Default, Debug)]
pub(crate) struct PlaceStates {
    pub(super) places: Vec<SystemState>,
    /// For each node, whether it is switched off. Empty if no node has been switched off.
    pub(super) disabled: Vec<bool>,
    /// For each observer whether it has no trigger in this round; empty for other schedules.
    pub(super) idle: Vec<bool>,
    /// For each node whether it is in a group whose condition did not hold at its gate; empty for
    /// schedules without groups. It matters from the gate to the end of the group, in one run.
    pub(super) closed: Vec<bool>,
    /// For each node whether `in_state` has closed its group.
    pub(super) closed_by_state: Vec<bool>,
    pub(super) clock: ScheduleTimes,
    /// Whether the schedule is running, so that an exclusive system, a command or an observer
    /// cannot run it again. The flag moves with the world if one of them moves it. `None` before
    /// the first run outside of the fast path, on which no system has the whole world.
    running: Option<Arc<AtomicBool>>,
}

/// The clone is not running. If an exclusive system is running, its state is outside of the world,
/// and the clone gets a new one when it runs.
impl Clone for PlaceStates {
    fn clone(&self) -> Self {
        let Self { places, disabled, idle: _, closed: _, closed_by_state: _, clock, running: _ } = self;
        Self {
            places: places.clone(),
            disabled: disabled.clone(),
            idle: Vec::new(),
            closed: Vec::new(),
            closed_by_state: Vec::new(),
            clock: clock.without_measurements(),
            running: None,
        }
    }
}

impl Clone for ScheduleStates {
    fn clone(&self) -> Self {
        let Self { schedules, failed_commands, tokens, edits, .. } = self;
        Self {
            #[cfg(feature = "reflect")]
            failures: Failures::new(),
            schedules: schedules.clone(),
            failed_commands: failed_commands.clone(),
            tokens: tokens.clone(),
            edits: edits.clone(),
            watch: Watch::NONE,
        }
    }
}

impl ScheduleStates {
    /// Creates states without schedules.
    pub const fn new() -> Self {
        Self {
            schedules: Vec::new(),
            failed_commands: FailedCommands::new(),
            tokens: ScheduleTokens::new(),
            edits: ScheduleEdits::new(),
            watch: Watch::NONE,
            #[cfg(feature = "reflect")]
            failures: Failures::new(),
        }
    }

    /// Swaps the states with those of a copy of the world. Measurements, the function that
    /// watches, the last failures, and the flags of running schedules are not swapped: a copy does
    /// not have them.
    pub(crate) fn exchange(&mut self, copy: &mut Self) {
        let Self { schedules, failed_commands, tokens, edits, .. } = copy;
        if self.schedules.len() == schedules.len() {
            for (mine, theirs) in self.schedules.iter_mut().zip(schedules) {
                let PlaceStates { places, disabled, .. } = theirs;
                swap(&mut mine.places, places);
                swap(&mut mine.disabled, disabled);
            }
        } else {
            swap(&mut self.schedules, schedules);
        }
        swap(&mut self.failed_commands, failed_commands);
        swap(&mut self.tokens, tokens);
        swap(&mut self.edits, edits);
    }
}

impl PlaceStates {
    /// Creates the states of a schedule's places.
    fn new<W: RawWorld>(world: &mut W, schedule: usize, plan: &Plan<'_, W>) -> Self {
        let mut states = Self::default();
        for entry in plan.entries.iter() {
            let first = states.places.len();
            while let Some(task) = entry.node.task_of(states.places.len() - first) {
                let place = Place::Written { schedule, place: states.places.len() };
                states.add(open(world, place, task.desc, |world| task.desc.new_state(world)));
            }
        }
        states
    }

    /// Adds the state of a place. The function is not generic, so that it is compiled with the
    /// library, and not for each world.
    fn add(&mut self, state: SystemState) {
        self.places.push(state);
    }

    /// Whether the schedule is running.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn is_running(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.load(Ordering::Relaxed))
    }

    /// Panics if the schedule, which has this name, is running already, further up the call stack.
    pub(super) fn check_not_running<W: RawWorld>(&self, schedule: &str) {
        assert!(
            !self.is_running(),
            "schedule `{schedule}` of world `{}` was called from inside itself",
            W::WORLD_NAME
        );
    }

    /// Marks the schedule as running until the guard is dropped.
    pub(super) fn mark_running(&mut self) -> RunningFlag {
        let running = self.running.get_or_insert_default();
        running.store(true, Ordering::Relaxed);
        RunningFlag(running.clone())
    }

    /// Whether this run can take the fast path: no system is switched off, the run is not to be
    /// measured, and no wave runs on several threads. Counts the run then. `wide` is whether a wave
    /// has several systems, `blocks` is the number of blocks of entity slots.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn allow_fast_path(&mut self, wide: bool, blocks: usize) -> bool {
        self.disabled.is_empty() && self.clock.allows_fast_path(wide, blocks)
    }

    /// The states of a range of places.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn of(&mut self, places: Range<usize>) -> Option<&mut [SystemState]> {
        self.places.get_mut(places)
    }

    /// Whether the system of a node is switched off, or is an observer without a trigger, or is in
    /// a group that is closed.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn is_skipped(&self, node: usize) -> bool {
        [&self.disabled, &self.idle, &self.closed].iter().any(|list| list.get(node).is_some_and(|&skip| skip))
    }

    /// Whether a node is in a group that is closed.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn is_closed(&self, node: usize) -> bool {
        self.closed.get(node).is_some_and(|&closed| closed)
    }

    /// Whether [`is_skipped`](Self::is_skipped) may be true for a node.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn may_skip(&self) -> bool {
        !self.disabled.is_empty() || !self.idle.is_empty()
    }

    /// Ends the step of a node that has run at a tick: opens or closes its group, if it is a gate,
    /// and records the times of its begin and end, if they are measured.
    #[inline(always)]
    pub(super) fn end_step<W: RawWorld>(
        &mut self,
        entry: &PlanEntry<W>,
        node: usize,
        tick: u64,
        start: Option<Instant>,
        end: Option<Instant>,
    ) {
        if entry.group_end > 0 {
            self.end_gate(entry.places(), node + 1..entry.group_end, tick);
        }
        self.clock.record(node, start, end);
    }

    /// Opens or closes a group whose gate, with these places, has run at a tick. The system of a
    /// gate has run if its condition held, and notes that it was skipped if `in_state` has refused
    /// it.
    fn end_gate(&mut self, gate: Range<usize>, group: Range<usize>, tick: u64) {
        let Some(gate) = self.places.get_mut(gate).and_then(|places| places.last_mut()) else { return };
        let (held, skipped) = (gate.ticks.last_run == tick, gate.take_skipped());
        mark_group(&mut self.closed, group.clone(), held);
        mark_group(&mut self.closed_by_state, group, held || !skipped);
    }

    /// Whether `in_state` has closed the group of a node.
    pub(super) fn is_closed_by_state(&self, node: usize) -> bool {
        self.closed_by_state.get(node).is_some_and(|&closed| closed)
    }

    /// Whether the system of a node is switched off.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn is_disabled(&self, node: usize) -> bool {
        self.disabled.get(node).is_some_and(|&disabled| disabled)
    }
}

/// Guard that marks a schedule as running until it is dropped.
pub(super) struct RunningFlag(Arc<AtomicBool>);

impl RunningFlag {
    /// Whether the schedule with these states is the one that the guard has marked, and not another
    /// one or a clone in its place.
    pub(super) fn is_of(&self, states: &PlaceStates) -> bool {
        states.running.as_ref().is_some_and(|running| Arc::ptr_eq(running, &self.0))
    }
}

impl Drop for RunningFlag {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Marks the nodes of a group as open or closed.
fn mark_group(closed: &mut Vec<bool>, group: Range<usize>, open: bool) {
    closed.resize(closed.len().max(group.end), false);
    closed[group].fill(!open);
}

/// Creates the states of all schedules of a new world, and then calls the `init` functions of the
/// systems.
pub fn init_schedule_states<W: RawWorld>(world: &mut W) {
    init_states(world);
    for plan in plans::<W>() {
        for entry in plan.entries.iter() {
            let mut place = 0;
            while let Some(task) = entry.node.task_of(place) {
                task.desc.set_up(world);
                place += 1;
            }
        }
    }
}

/// Calls the `exit` functions of all systems, in the reverse order of the text.
pub(super) fn exit_systems<W: RawWorld>(world: &mut W) {
    for plan in plans::<W>().iter().rev() {
        for entry in plan.entries.iter().rev() {
            for place in (0..entry.node.places()).rev() {
                if let Some(task) = entry.node.task_of(place) {
                    task.desc.exit(world);
                }
            }
        }
    }
}

/// Creates the states of all schedules. A loaded world needs only this: the `init` functions of its
/// systems were called before it was saved.
pub(crate) fn init_states<W: RawWorld>(world: &mut W) {
    let mut schedules = Vec::new();
    for (schedule, plan) in plans::<W>().iter().enumerate() {
        schedules.push(PlaceStates::new(world, schedule, plan));
    }
    of_mut(world).schedules = schedules;
}

/// Calls `f` with the state of each place of a system in the schedules of the world.
pub(crate) fn each_state_of<W: RawWorld, S: System<W>>(world: &mut W, f: &mut dyn FnMut(&mut SystemState)) {
    let system = TypeId::of::<S>();
    for (plan, states) in plans::<W>().iter().zip(&mut of_mut(world).schedules) {
        let tasks = plan.entries.iter().flat_map(|entry| entry.node.tasks());
        let places = tasks.zip(&mut states.places);
        places.filter(|(task, _)| task.id == system).for_each(|(_, state)| f(state));
    }
}

/// The schedule states of a world.
pub(crate) fn of<W: RawWorld>(world: &W) -> &ScheduleStates {
    #[expect(unsafe_code, reason = "the world is borrowed shared")]
    // SAFETY: the world is borrowed shared for as long as the result is used.
    unsafe {
        WorldCell::shared(world).schedule_states()
    }
}

/// The schedule states of a world, mutable.
pub(crate) fn of_mut<W: RawWorld>(world: &mut W) -> &mut ScheduleStates {
    #[expect(unsafe_code, reason = "the world is borrowed mutably")]
    // SAFETY: the world is borrowed mutably for as long as the result is used.
    unsafe {
        WorldCell::new(world).schedule_states_mut()
    }
}

/// Creates the state of a place with `init`, and opens it: its readers subscribe, and its commands
/// reserve blocks of slots. Opening comes last, so that nothing stays registered in the world if
/// `init` panics.
pub(super) fn open<W: RawWorld>(
    world: &mut W,
    place: Place,
    desc: &SystemDesc<W>,
    init: impl FnOnce(&mut W) -> SystemState,
) -> SystemState {
    let mut state = init(world);
    desc.finish_alone(world, &mut state, &mut SystemPhase::Open(Some(place)));
    state
}

#[expect(unsafe_code, reason = "the states are a field of a world, which is reached through its cell")]
impl<'w, W: RawWorld> WorldCell<'w, W> {
    /// The states of the schedules, mutable.
    ///
    /// # Safety
    /// No other borrow of the schedule states is used during this one.
    #[inline(always)]
    pub(crate) unsafe fn schedule_states_mut(self) -> &'w mut ScheduleStates {
        // SAFETY: invariant 1 of `WorldCell`, and by the contract of `RawWorld` this is the address
        // of the `ScheduleStates`; by the caller's contract no other borrow is used.
        unsafe { &mut *self.schedule_states_ptr().cast() }
    }

    /// The states of the schedules.
    ///
    /// # Safety
    /// The schedule states are not borrowed mutably during this borrow.
    pub(crate) unsafe fn schedule_states(self) -> &'w ScheduleStates {
        // SAFETY: invariant 1 of `WorldCell`, and by the contract of `RawWorld` this is the address
        // of the `ScheduleStates`; by the caller's contract no mutable borrow exists.
        unsafe { &*self.schedule_states_ptr().cast() }
    }
}

/// The type of the states as `world!` returns their address: [`RawWorld`] does not know it.
#[cfg_attr(not(debug_assertions), inline)]
#[must_use]
pub fn erase_states(states: *mut ScheduleStates) -> *mut ErasedStates {
    states.cast()
}
