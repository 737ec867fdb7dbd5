//! Schedules that are built at run time: systems with keys, added and removed while the program
//! runs.
//!
//! They have the same nodes, plan and executor as the schedules of `world!`, with two differences:
//! the plan is made again after the list of systems has changed, and the states are stored in the
//! schedule: see [`list`]. [`run`] runs a schedule and applies the edits that systems request
//! meanwhile. [`tokens`](super::tokens) checks that a schedule runs with its own world only.

mod by_name;
mod list;
mod run;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::TypeId;
use core::fmt;

use super::condition::Condition;
use super::graph::{ScheduleGraph, WorldNames};
use super::node::Node;
use super::output::Outcome;
use super::plan::PlanEntry;
use super::states::PlaceStates;
use super::timing::{Parallelism, Timing};
use crate::check::{check_system, mistake};
use crate::error::ScheduleError;
use crate::raw_world::RawWorld;
use crate::system::function::{self, SystemFn};
use crate::system::input::Fed;
use crate::system::{InputSystem, System, SystemState, UnsavedState};

/// A schedule that is built at run time: systems of world `W`, each with a key, that run in the
/// order of their keys.
///
/// ```
/// # use ecs::prelude::*;
/// use ecs::Schedule;
/// # #[derive(Component)] struct Position(f32);
/// # #[derive(Component)] struct Velocity(f32);
/// # #[derive(Resource, Default)] struct Clock { kind: f32, frame: u64 }
/// # world! { struct Game { components { Position, Velocity } resources { clock: Clock } } }
/// # #[system(Game)] fn movement(position: &mut Position, velocity: &Velocity, clock: Res<Clock>) { position.0 += velocity.0 * clock.kind; }
///
/// let mut game = Game::new(Clock { kind: 0.5, frame: 0 });
/// let mut physics = Schedule::<Game>::new("physics");
/// physics.add::<movement>(&mut game, 20)?;
/// physics.add_fn(&mut game, "gravity", 10, |mut bodies: Query<&mut Velocity>, clock: Res<Clock>| {
///     bodies.for_each(|velocity| velocity.0 -= 9.81 * clock.kind);
/// })?;
/// physics.add_exclusive(&mut game, "count", 30, |game: &mut Game| game.resource_mut::<Clock>().frame += 1)?;
/// assert_eq!(physics.iter().collect::<Vec<_>>(), [("gravity", 10), ("movement", 20), ("count", 30)]);
/// physics.run(&mut game)?;
///
/// physics.remove::<movement>(&mut game);
/// physics.close(&mut game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Order
/// Systems run in ascending order of their keys, and systems with equal keys in the order in which
/// they were added. As in a schedule of `world!`, systems that do not clash may run at the same
/// time, and the result is the same.
///
/// Deferred changes, which systems make through [`Commands`](crate::Commands), are applied at the
/// end of a run, before and after an exclusive system, and at each flush that
/// [`add_flush`](Self::add_flush) has added, which corresponds to `;` in `world!`. With
/// [`flush_between`](Self::flush_between), they are applied after every system.
///
/// # The world of a schedule
/// The schedule stores the states of its systems: their `Local`s, the positions of their event
/// readers, and the entity slots that are reserved for their commands. These states fit only the
/// world with which the systems were added. So a run with another world is refused, and so is a run
/// with a copy of its world from another time. To return to an earlier state, clone the world and
/// the schedule at the same time, and run the two clones together. A schedule without systems
/// belongs to no world.
///
/// [`remove`](Self::remove), [`clear`](Self::clear) and [`close`](Self::close) release what the
/// systems hold in the world. If a schedule is dropped instead, its readers stay registered until
/// the world is dropped, so that events that they have not read are kept, and a few blocks of slots
/// stay reserved. The `exit` functions of its systems are not called then.
///
/// # Changes while it runs
/// A system has no access to the schedule in which it runs. It can request a change with
/// [`Schedules::edit_schedule`](crate::Schedules::edit_schedule).
///
/// # Cost
/// Adding a system creates its state. The first run after a change makes a new plan, which compares
/// every system with those before it. Otherwise a run costs the same as that of a schedule of
/// `world!`.
pub struct Schedule<W: RawWorld> {
    name: &'static str,
    /// The systems and flushes, sorted by key, unless `set_key` was called since the last sort.
    items: Vec<ScheduleItem<W>>,
    /// The states of the systems. A system keeps the index of its state, its place, until it is
    /// removed.
    states: PlaceStates,
    /// The places without a system, for reuse.
    free: Vec<usize>,
    /// The places whose systems were removed since the last plan was made. That plan still refers
    /// to them.
    released: Vec<usize>,
    /// The plan of the last run; of an earlier list if `plan_is_stale`.
    planned: Option<Arc<ListPlan<W>>>,
    /// Whether the list has changed since the plan was made.
    plan_is_stale: bool,
    /// Whether systems were switched on or off, or removed, since `states.disabled` was computed.
    disabled_is_stale: bool,
    /// Whether commands are applied after every system.
    flush_between: bool,
    /// The id of the next item.
    next_id: u64,
    /// The token that this schedule and its world share, see [`tokens`](super::tokens); 0 without
    /// systems.
    token: u64,
}

/// An item of a schedule: a system or a flush, with its key.
struct ScheduleItem<W: RawWorld> {
    /// The number of items that were added before.
    id: u64,
    key: i64,
    kind: ItemKind<W>,
}

/// The kinds of items. The place of a system is the index of its state, and `on` is whether it is
/// switched on.
enum ItemKind<W: RawWorld> {
    System { node: Node<W>, place: usize, on: bool },
    Flush,
}

/// The plan of a list of items.
struct ListPlan<W: RawWorld> {
    name: &'static str,
    entries: Vec<PlanEntry<W>>,
    /// For each entry of the plan, the id of its item.
    ids: Vec<u64>,
}

impl<W: RawWorld> Schedule<W> {
    /// Creates a schedule without systems. It belongs to no world yet.
    pub fn new(name: &'static str) -> Self // `Schedule::new("update")`
    {
        Self {
            name,
            items: Vec::new(),
            states: PlaceStates::default(),
            free: Vec::new(),
            released: Vec::new(),
            planned: None,
            plan_is_stale: false,
            disabled_is_stale: false,
            flush_between: false,
            next_id: 0,
            token: 0,
        }
    }

    /// Adds a system, which may return `Result`, and sorts the list. Its event readers see the
    /// events that are sent from now on.
    ///
    /// # Errors
    /// If the schedule has this system already, or belongs to another world.
    pub fn add<S: System<W, Out: Outcome<true>>>(
        &mut self,
        world: &mut W,
        key: i64,
    ) -> Result<(), ScheduleError> {
        self.check_new(S::DESC.name, !self.has::<S>())?;
        self.add_again::<S>(world, key)
    }

    /// Adds a system, even if the schedule has it already. Each addition has a state of its own.
    ///
    /// # Errors
    /// If the schedule belongs to another world.
    pub fn add_again<S: System<W, Out: Outcome<true>>>(
        &mut self,
        world: &mut W,
        key: i64,
    ) -> Result<(), ScheduleError> {
        const { check_system(&S::DESC) };
        let node = Node::new::<true, S::Out>(0, S::DESC.name, S::RUNNABLE, &[], &Condition::Always);
        self.insert(world, key, node, |world| S::DESC.new_state(world))
    }

    /// Adds a system under a name of its own, and sorts the list: the methods that take names, such
    /// as [`remove_named`](Self::remove_named), select this addition alone.
    ///
    /// # Errors
    /// If the schedule has a system of that name already, or belongs to another world.
    pub fn add_as<S: System<W, Out: Outcome<true>>>(
        &mut self,
        world: &mut W,
        name: &'static str,
        key: i64,
    ) -> Result<(), ScheduleError> {
        self.check_new(name, !self.has_named(name))?;
        const { check_system(&S::DESC) };
        let node = Node::new::<true, S::Out>(0, name, S::RUNNABLE, &[], &Condition::Always);
        self.insert(world, key, node, |world| S::DESC.new_state(world))
    }

    /// Adds a system with an [input](crate::In) under a name, and sorts the list. Each run gives
    /// the system a clone of the input.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Schedule;
    /// # #[derive(Component)] struct Health(u32);
    /// # world! { struct Game { components { Health } } }
    /// #[system(Game)]
    /// fn heal(amount: In<u32>, health: &mut Health) {
    ///     health.0 += *amount;
    /// }
    ///
    /// let mut game = Game::new();
    /// let hero = game.spawn(Health(1));
    /// let mut schedule = Schedule::<Game>::new("rest");
    /// schedule.add_with::<heal>(&mut game, "potion", 10, 5)?;
    /// schedule.add_with::<heal>(&mut game, "sleep", 20, 20)?;
    /// schedule.run(&mut game)?;
    /// assert_eq!(game.get::<Health>(hero).unwrap().0, 26);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the schedule has a system of that name already, or belongs to another world.
    pub fn add_with<S>(
        &mut self,
        world: &mut W,
        name: &'static str,
        key: i64,
        input: S::In,
    ) -> Result<(), ScheduleError>
    where
        S: InputSystem<W, Out: Outcome<true>, In: Clone + Send + Sync + 'static>,
    {
        self.check_new(name, !self.has_named(name))?;
        const { check_system(&S::DESC) };
        let node = Node::new::<true, S::Out>(0, name, Fed::<S>::runnable::<W>(), &[], &Condition::Always);
        self.insert(world, key, node, |world| Fed::<S>::state(input, world))
    }

    /// Adds a closure under a name, and sorts the list. The closure takes up to sixteen system
    /// parameters, whose types must be written out, and may return `Result`.
    ///
    /// # Errors
    /// If the schedule has a system of that name already, if the parameters clash (with the message
    /// that `cargo check` gives for a system), or if the schedule belongs to another world.
    pub fn add_fn<M, F>(
        &mut self,
        world: &mut W,
        name: &'static str,
        key: i64,
        function: F,
    ) -> Result<(), ScheduleError>
    where
        F: SystemFn<W, M, Out: Outcome<true>>,
    {
        self.check_new(name, !self.has_named(name))?;
        if let Some(message) = mistake::<W>(name, F::PARAMS) {
            return Err(ScheduleError::Clash(message.as_str().into()));
        }
        let system = function::runnable::<W, M, F>();
        let node = Node::new::<true, F::Out>(0, name, system, &[], &Condition::Always);
        self.insert(world, key, node, |world| function::state(function, world))
    }

    /// Adds a closure that takes the whole world, and sorts the list.
    ///
    /// The closure must not replace the world by another one, since the states of this schedule fit
    /// only its own world: the run would panic.
    ///
    /// # Errors
    /// If the schedule has a system of that name already, or belongs to another world.
    pub fn add_exclusive<Out, F>(
        &mut self,
        world: &mut W,
        name: &'static str,
        key: i64,
        function: F,
    ) -> Result<(), ScheduleError>
    where
        Out: Outcome<true>,
        F: FnMut(&mut W) -> Out + Clone + Send + Sync + 'static,
    {
        self.check_new(name, !self.has_named(name))?;
        let system = function::exclusive::<W, Out, F>();
        let node = Node::new::<true, Out>(0, name, system, &[], &Condition::Always);
        self.insert(world, key, node, |_| SystemState::new(UnsavedState(function)))
    }

    /// Adds a flush, which applies the deferred changes of all systems before it in the order.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Schedule;
    /// # #[derive(Component)] struct Ball;
    /// # #[derive(Resource, Default)] struct Seen(usize);
    /// # world! { struct Game { components { Ball } resources { Seen } } }
    /// # let mut game = Game::default();
    /// let mut schedule = Schedule::<Game>::new("schedule");
    /// schedule.add_fn(&mut game, "serve", 1, |mut commands: Commands<Game>| _ = commands.spawn(Ball))?;
    /// schedule.add_flush(1);
    /// schedule.add_fn(&mut game, "count", 2, |balls: Query<&Ball>, mut seen: ResMut<Seen>| seen.0 = balls.len())?;
    /// schedule.run(&mut game)?;
    /// assert_eq!(game.resource::<Seen>().0, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_flush(&mut self, key: i64) {
        self.push_item(key, ItemKind::Flush);
    }

    /// Removes the flushes with a key, and returns their number.
    pub fn remove_flush(&mut self, key: i64) -> usize {
        let before = self.items.len();
        self.items.retain(|item| item.key != key || matches!(item.kind, ItemKind::System { .. }));
        self.plan_is_stale = true;
        before - self.items.len()
    }

    /// Switches flushes after every system on or off. While they are on, the deferred changes of a
    /// system are applied before the next system begins, and no two systems run at the same time.
    pub fn flush_between(&mut self, on: bool) {
        self.plan_is_stale |= self.flush_between != on;
        self.flush_between = on;
    }

    /// Removes all additions of a system, drops their states, and returns their number.
    ///
    /// Then the system's `exit` function is called, once for each removed addition: see
    /// [`#[system]`](macro@crate::system). All methods that remove systems call it.
    ///
    /// # Panics
    /// If the schedule belongs to another world.
    pub fn remove<S: System<W>>(&mut self, world: &mut W) -> usize {
        self.remove_where(world, |task| task.id == TypeId::of::<S>())
    }

    /// Removes all systems and flushes. The schedule then belongs to no world.
    ///
    /// Then the `exit` functions of the systems are called, in the reverse of the order in which
    /// the systems were added. If one of them panics, those after it are not called.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Schedule;
    /// # #[derive(Resource, Default)] struct Log(Vec<&'static str>);
    /// # world! { struct Game { resources { Log = Log::default() } } }
    /// #[system(Game, init = open_window, exit = close_window)]
    /// fn draw() {}
    /// #[system(Game, init = open_speakers, exit = close_speakers)]
    /// fn play() {}
    ///
    /// fn open_window(game: &mut Game) { game.resource_mut::<Log>().0.push("open window") }
    /// fn close_window(game: &mut Game) { game.resource_mut::<Log>().0.push("close window") }
    /// fn open_speakers(game: &mut Game) { game.resource_mut::<Log>().0.push("open speakers") }
    /// fn close_speakers(game: &mut Game) { game.resource_mut::<Log>().0.push("close speakers") }
    ///
    /// let mut game = Game::new();
    /// let mut schedule = Schedule::<Game>::new("frame");
    /// schedule.add::<draw>(&mut game, 20)?;
    /// schedule.add::<play>(&mut game, 10)?;
    /// schedule.clear(&mut game);
    /// assert_eq!(game.resource::<Log>().0, ["open window", "open speakers", "close speakers", "close window"]);
    /// # Ok::<(), ecs::error::ScheduleError>(())
    /// ```
    ///
    /// # Panics
    /// If the schedule belongs to another world.
    pub fn clear(&mut self, world: &mut W) {
        self.items.retain(|item| matches!(item.kind, ItemKind::System { .. }));
        self.remove_where(world, |_| true);
    }

    /// Drops the schedule after [`clear`](Self::clear): releases what its systems hold in the
    /// world, and calls their `exit` functions.
    ///
    /// Events that only readers of this schedule had not read yet are dropped. If no reader of an
    /// event type is released, its events are kept until they are drained, as for any type without
    /// readers.
    ///
    /// # Panics
    /// If the schedule belongs to another world.
    pub fn close(mut self, world: &mut W) {
        self.clear(world);
    }

    /// Whether the schedule has a system.
    pub fn has<S: System<W>>(&self) -> bool {
        self.key::<S>().is_some()
    }

    /// Returns the key of a system; the first one, if it was added several times.
    pub fn key<S: System<W>>(&self) -> Option<i64> {
        self.key_where(|task| task.id == TypeId::of::<S>())
    }

    /// Sets the key of all additions of a system, and returns their number. The order changes at
    /// the next [`sort`](Self::sort), or when an item is added.
    pub fn set_key<S: System<W>>(&mut self, key: i64) -> usize {
        self.set_key_where(|task| task.id == TypeId::of::<S>(), key)
    }

    /// Sorts the list by key, and items with equal keys in the order in which they were added.
    pub fn sort(&mut self) {
        self.items.sort_by_key(|item| (item.key, item.id));
        self.plan_is_stale = true;
    }

    /// Switches all additions of a system on or off, and returns their number.
    pub fn enable<S: System<W>>(&mut self, on: bool) -> usize // `enable::<movement>(false)`
    {
        self.enable_where(|task| task.id == TypeId::of::<S>(), on)
    }

    /// Whether the schedule has a system, and at least one of its additions is switched on.
    pub fn is_enabled<S: System<W>>(&self) -> bool {
        self.is_enabled_where(|task| task.id == TypeId::of::<S>())
    }

    /// Iterates over the names and keys of the systems, in the order in which they run.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, i64)> + '_ {
        self.systems().map(|(item, task)| (task.name, item.key))
    }

    /// Returns the graph of the schedule: its systems, the data that each reads and writes, and the
    /// systems that each waits for. It can be written as text for Graphviz or as JSON, and includes
    /// systems that are switched off. For the schedules of a world, see
    /// [`Schedules::schedule_graph`](crate::Schedules::schedule_graph).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Schedule;
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Resource, Default)] struct Clock(f32);
    /// # world! { struct Game { components { Position } resources { Clock } } }
    /// # let mut game = Game::default();
    /// let mut schedule = Schedule::<Game>::new("frame");
    /// schedule.add_fn(&mut game, "fall", 1, |mut bodies: Query<&mut Position>, clock: Res<Clock>| {
    ///     bodies.for_each(|position| position.0 -= clock.0);
    /// })?;
    /// let graph = schedule.graph();
    /// let fall = &graph.schedules[0].nodes[0];
    /// assert_eq!((fall.system, fall.writes.as_slice()), ("fall", ["Position"].as_slice()));
    /// assert_eq!(fall.resources_read, ["Clock"]);
    /// # Ok::<(), ecs::error::ScheduleError>(())
    /// ```
    ///
    /// # Cost
    /// Each call computes the plan of the schedule.
    pub fn graph(&self) -> ScheduleGraph {
        ScheduleGraph::of_plan(WorldNames::of::<W>(), self.plan().plan().any())
    }

    /// The number of systems, including those that are switched off.
    pub fn len(&self) -> usize {
        self.systems().count()
    }

    /// Whether the schedule has no systems.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of the schedule.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Sets whether systems that do not clash run at the same time, as
    /// [`Schedules::set_parallelism`](crate::Schedules::set_parallelism) does for the schedules of
    /// `world!`.
    pub fn set_parallelism(&mut self, parallelism: Parallelism) {
        self.states.clock.parallelism = parallelism;
    }

    /// Starts or stops measuring the run time of each system, as
    /// [`Schedules::time_systems`](crate::Schedules::time_systems) does.
    pub fn time_systems(&mut self, on: bool) {
        self.states.clock.table = on.then(Vec::new);
    }

    /// Returns the run times of the systems since [`time_systems`](Self::time_systems) was switched
    /// on, in the order in which the systems run. Systems that have not run are not listed.
    pub fn timings(&self) -> Vec<Timing> {
        let Some(planned) = &self.planned else { return Vec::new() };
        let timings: Vec<Timing> = self.states.clock.timings(planned.plan().any()).collect();
        let of = |item: &ScheduleItem<W>| planned.index_of(item.id).and_then(|at| timings.get(at)).copied();
        self.systems().filter_map(|(item, _)| of(item)).filter(|timing| timing.runs > 0).collect()
    }
}

/// Clones the schedule with the states of its systems, for a clone of its world.
///
/// The clone runs with a clone of the world that was made at the same time: no run and no change of
/// the schedule may lie between the two. If the world is not cloned, only one of the two schedules
/// can run with it from then on.
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::Schedule;
/// # #[derive(Resource, Default, Clone)] struct Frame(u32);
/// # world! { #[derive(Clone)] struct Game { resources { Frame } } }
/// # let mut game = Game::default();
/// let mut schedule = Schedule::<Game>::new("schedule");
/// schedule.add_fn(&mut game, "count", 0, |mut runs: Local<u32>, mut frame: ResMut<Frame>| {
///     *runs += 1;
///     frame.0 = *runs;
/// })?;
/// schedule.run(&mut game)?;
/// let snapshot = (game.clone(), schedule.clone());
/// schedule.run(&mut game)?;
/// (game, schedule) = snapshot; // back to the state of the snapshot
/// schedule.run(&mut game)?;
/// assert_eq!(game.resource::<Frame>().0, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<W: RawWorld> Clone for Schedule<W> {
    fn clone(&self) -> Self {
        Self {
            items: self.items.clone(),
            states: self.states.clone(),
            free: self.free.clone(),
            released: self.released.clone(),
            planned: self.planned.clone(),
            ..*self
        }
    }
}

impl<W: RawWorld> fmt::Debug for Schedule<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Systems<'s, W: RawWorld>(&'s Schedule<W>);
        impl<W: RawWorld> fmt::Debug for Systems<'_, W> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(self.0.iter()).finish()
            }
        }
        f.debug_struct("Schedule")
            .field("name", &self.name)
            .field("systems", &Systems(self))
            .finish_non_exhaustive()
    }
}
