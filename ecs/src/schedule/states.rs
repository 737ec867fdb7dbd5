//! The states of the systems in a world's schedules.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::TypeId;
use core::mem::swap;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use super::dynamic::Schedule;
use super::node::Task;
use super::plan::Plan;
use super::timing::{Clock, Parallelism, Timing};
use super::tokens::{Edits, ScheduleTokens};
use crate::base::place::Place;
use crate::command::failed_command::FailedCommands;
use crate::system::{SystemPhase, SystemState};
use crate::world::{World, WorldCell};

/// The states of the systems of a world's schedules.
#[derive(Default, Debug)]
pub struct ScheduleStates {
    pub(super) schedules: Vec<States>,
    pub(crate) failed_commands: FailedCommands,
    /// Which schedules that were built at run time have states made for this world.
    pub(super) bonds: ScheduleTokens,
    /// What shall be done to such schedules.
    pub(super) edits: Edits,
}

/// What users set and see of the schedules of their world.
impl ScheduleStates {
    /// Sets for all schedules where systems that do not clash may run.
    pub(crate) fn set_parallelism(&mut self, parallelism: Parallelism) {
        self.schedules.iter_mut().for_each(|states| states.clock.wish = parallelism);
    }

    /// Begins or ends to add up the times of systems.
    pub(crate) fn time(&mut self, on: bool) {
        self.schedules.iter_mut().for_each(|states| states.clock.table = on.then(Vec::new));
    }

    /// The times of systems, schedule by schedule, in the order of the text.
    pub(crate) fn timings<W: World>(&self) -> Vec<Timing> {
        let schedules = W::__schedules().iter().zip(&self.schedules);
        schedules.flat_map(|(plan, states)| states.clock.timings(plan)).collect()
    }

    /// Switches a system on or off wherever it stands; how many places those are.
    pub(crate) fn enable<W: World>(&mut self, system: TypeId, on: bool) -> usize {
        let mut found = 0;
        for (plan, states) in W::__schedules().iter().zip(&mut self.schedules) {
            for (at, _) in plan.entries.iter().enumerate().filter(|(_, entry)| entry.node.task.id == system) {
                states.disabled.resize(plan.entries.len(), false);
                states.disabled[at] = !on;
                found += 1;
            }
        }
        found
    }

    /// Keeps a change of a schedule that was built at run time until it can be made.
    pub(crate) fn edit<W: World>(
        &mut self,
        schedule: &'static str,
        edit: impl FnOnce(&mut Schedule<W>, &mut W) + Clone + Send + Sync + 'static,
    ) {
        self.edits.push(schedule, edit);
    }

    /// Whether a system is switched on somewhere.
    pub(crate) fn is_enabled<W: World>(&self, system: TypeId) -> bool {
        W::__schedules().iter().zip(&self.schedules).any(|(plan, states)| {
            let mut nodes = plan.entries.iter().enumerate();
            nodes.any(|(at, entry)| entry.node.task.id == system && !states.is_disabled(at))
        })
    }
}

/// A place as it is saved.
#[cfg(feature = "serde")]
pub(crate) struct SavedPlace<'s> {
    pub(crate) place: Place,
    pub(crate) state: &'s SystemState,
    /// The tick of the system's last run; 0 if no system of its schedule uses that tick, since some executors do not note it then.
    pub(crate) last_run: u64,
    /// Whether the system is switched off.
    pub(crate) off: bool,
}

/// How places are saved and loaded.
#[cfg(feature = "serde")]
impl ScheduleStates {
    /// The places of all schedules.
    pub(crate) fn saved<W: World>(&self) -> impl Iterator<Item = SavedPlace<'_>> {
        let schedules = W::__schedules().iter().zip(&self.schedules).enumerate();
        schedules.flat_map(|(schedule, (plan, states))| {
            let nodes = nodes_of(plan);
            // that of an exclusive system which is running is outside of the world
            let there = states.places.iter().enumerate().filter(|(_, state)| state.is_there());
            there.map(move |(place, state)| SavedPlace {
                place: Place::Written { schedule, place },
                state,
                last_run: if plan.is_timed { state.ticks.last_run } else { 0 },
                off: nodes.get(place).copied().flatten().is_some_and(|node| states.is_disabled(node)),
            })
        })
    }

    /// The state of a place, and whether its system is to be switched off.
    pub(crate) fn place_mut<W: World>(&mut self, place: Place, off: bool) -> Option<&mut SystemState> {
        let Place::Written { schedule, place } = place else { return None };
        let (plan, states) = (W::__schedules().get(schedule)?, self.schedules.get_mut(schedule)?);
        if let (true, Some(node)) = (off, nodes_of(plan).get(place).copied().flatten()) {
            states.disabled.resize(plan.entries.len(), false);
            states.disabled[node] = true;
        }
        states.places.get_mut(place)
    }

    /// The states of all places.
    pub(crate) fn states(&mut self) -> impl Iterator<Item = (Place, &mut SystemState)> {
        self.schedules.iter_mut().enumerate().flat_map(|(schedule, states)| {
            let places = states.places.iter_mut().enumerate();
            places.map(move |(place, state)| (Place::Written { schedule, place }, state))
        })
    }
}

/// For each place of a plan its node, unless it is that of a condition.
#[cfg(feature = "serde")]
fn nodes_of<W: World>(plan: &Plan<W>) -> Vec<Option<usize>> {
    let nodes = plan.entries.iter().enumerate();
    nodes
        .flat_map(|(at, entry)| {
            let tasks = entry.node.tasks().count();
            (0..tasks).map(move |task| (task + 1 == tasks).then_some(at))
        })
        .collect()
}

/// The names of the schedule and of the system at a place.
pub fn system_names<W: World>(place: Place) -> (&'static str, &'static str) {
    match place {
        Place::Built { schedule, system } => (schedule, system),
        Place::Written { schedule, place } => {
            let Some(plan) = W::__schedules().get(schedule) else { return ("", "") };
            let mut tasks = plan.entries.iter().flat_map(|entry| entry.node.tasks());
            (plan.name, tasks.nth(place).map_or("", |task| task.name))
        }
    }
}

/// The states of one schedule.
#[derive(Default, Debug)]
pub(crate) struct States {
    pub(super) places: Vec<SystemState>,
    /// For each node whether it is switched off; empty if none ever was.
    pub(super) disabled: Vec<bool>,
    pub(super) clock: Clock,
    /// Whether one of its exclusive systems is running: the only time at which the schedule could be called again. The
    /// flag goes with the world, wherever such a system moves it. There is none before the first of them has run.
    busy: Option<Arc<AtomicBool>>,
}

/// The clone is not running; the place of an exclusive system that is has no state in it, and begins anew.
impl Clone for States {
    fn clone(&self) -> Self {
        let Self { places, disabled, clock, busy: _ } = self;
        Self { places: places.clone(), disabled: disabled.clone(), clock: clock.afresh(), busy: None }
    }
}

impl Clone for ScheduleStates {
    fn clone(&self) -> Self {
        let Self { schedules, failed_commands, bonds, edits } = self;
        Self {
            schedules: schedules.clone(),
            failed_commands: failed_commands.clone(),
            bonds: bonds.clone(),
            edits: edits.clone(),
        }
    }
}

impl ScheduleStates {
    /// No places.
    pub const fn new() -> Self {
        Self {
            schedules: Vec::new(),
            failed_commands: FailedCommands::new(),
            bonds: ScheduleTokens::new(),
            edits: Edits::new(),
        }
    }

    /// Takes the states that a copy has, and gives it those that were here. What was measured, and what runs, stays: that is no
    /// matter of what is copied.
    pub(crate) fn exchange(&mut self, copy: &mut Self) {
        let Self { schedules, failed_commands, bonds, edits } = copy;
        if self.schedules.len() == schedules.len() {
            for (mine, theirs) in self.schedules.iter_mut().zip(schedules) {
                let States { places, disabled, clock: _, busy: _ } = theirs;
                swap(&mut mine.places, places);
                swap(&mut mine.disabled, disabled);
            }
        } else {
            swap(&mut self.schedules, schedules);
        }
        swap(&mut self.failed_commands, failed_commands);
        swap(&mut self.bonds, bonds);
        swap(&mut self.edits, edits);
    }
}

impl States {
    /// The first states of a schedule's places.
    fn new<W: World>(world: &mut W, schedule: usize, plan: &Plan<W>) -> Self {
        let mut states = Self::default();
        for entry in &plan.entries {
            let first = states.places.len();
            while let Some(task) = entry.node.task_of(states.places.len() - first) {
                let place = Place::Written { schedule, place: states.places.len() };
                states.add(open(world, place, task, task.init));
            }
        }
        states
    }

    /// Adds a place; compiled with the library, and not for each world.
    fn add(&mut self, state: SystemState) {
        self.places.push(state);
    }

    /// Whether an exclusive system is running.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn is_busy(&self) -> bool {
        self.busy.as_ref().is_some_and(|busy| busy.load(Ordering::Relaxed))
    }

    pub(super) fn busy(&mut self) -> Arc<AtomicBool> {
        self.busy.get_or_insert_default().clone()
    }

    /// Whether nothing is asked for but the systems' turns, one after the other; and a run is noted. `wide` says
    /// whether there are waves of several systems, and `blocks` how many blocks of entities there are.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn are_quiet(&mut self, wide: bool, blocks: usize) -> bool {
        self.disabled.is_empty() && self.clock.is_quiet(wide, blocks)
    }

    /// The states of some places.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn of(&mut self, places: Range<usize>) -> Option<&mut [SystemState]> {
        self.places.get_mut(places)
    }

    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn is_disabled(&self, node: usize) -> bool {
        self.disabled.get(node).is_some_and(|&disabled| disabled)
    }
}

/// Makes the states of all places of all schedules of a new world, and then lets each system prepare the world.
pub fn init_schedule_states<W: World>(world: &mut W) {
    init_states(world);
    for plan in W::__schedules() {
        for entry in &plan.entries {
            let mut place = 0;
            while let Some(task) = entry.node.task_of(place) {
                if let Some(setup) = task.setup {
                    setup(world);
                }
                place += 1;
            }
        }
    }
}

/// Tells each system that it is over, the last one of the text first.
pub(super) fn exit_places<W: World>(world: &mut W) {
    for plan in W::__schedules().iter().rev() {
        for entry in plan.entries.iter().rev() {
            for place in (0..entry.node.places()).rev() {
                if let Some(exit) = entry.node.task_of(place).and_then(|task| task.exit) {
                    exit(world);
                }
            }
        }
    }
}

/// The states alone: the systems of a world that is loaded have prepared it already.
pub(crate) fn init_states<W: World>(world: &mut W) {
    let mut schedules = Vec::new();
    for (schedule, plan) in W::__schedules().iter().enumerate() {
        schedules.push(States::new(world, schedule, plan));
    }
    of(world).schedules = schedules;
}

/// The places of a world.
pub(super) fn of<W: World>(world: &mut W) -> &mut ScheduleStates {
    #[expect(unsafe_code, reason = "the world is borrowed mutably")]
    // SAFETY: the world is borrowed mutably, for as long as its places are.
    unsafe {
        WorldCell::new(world).schedule_states_mut()
    }
}

/// Makes the state of a place with `init`, and opens it: its readers subscribe, and its commands get blocks of entities. That comes
/// last, so that nothing is left in the world if `init` panics.
pub(super) fn open<W: World>(
    world: &mut W,
    place: Place,
    task: &Task<W>,
    init: impl FnOnce(&mut W) -> SystemState,
) -> SystemState {
    let mut state = init(world);
    #[expect(unsafe_code, reason = "the world is borrowed mutably")]
    // SAFETY: the world is borrowed mutably, and nothing of it is lent; the state was made by the task's `init`, or in its stead by
    // that of its closure.
    unsafe {
        (task.finish)(WorldCell::new(world), &mut state, &mut SystemPhase::Open(Some(place)));
    }
    state
}
