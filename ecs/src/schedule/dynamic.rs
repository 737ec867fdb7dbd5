//! Schedules that are built at run time: systems with keys, added and removed while the program runs.
//!
//! They have the nodes, the plan and the executor of the schedules of `world!`; what differs is that the plan is made
//! when the list has changed, and that the states are the schedule's: see [`list`]. How it runs, and how it is changed while it
//! runs, is in [`run`]; that it runs with its own world only is the business of [`bond`](super::tokens).

mod by_name;
mod list;
mod run;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::TypeId;
use core::fmt;
use core::sync::atomic::AtomicBool;

use super::graph::ScheduleGraph;
use super::node::{Condition, Node, Outcome};
use super::plan::Plan;
use super::states::States;
use super::timing::{Parallelism, Timing};
use crate::check::{check_system, mistake};
use crate::error::ScheduleError;
use crate::system::access::is_sound;
use crate::system::function::{self, SystemFn};
use crate::system::{System, SystemState, UnsavedState};
use crate::world::World;

/// A schedule that is built at run time: systems of world `W`, each with a key, run in the order of their keys.
///
/// ```
/// # use ecs::prelude::*;
/// use ecs::Schedule;
/// # #[derive(Component)] struct Position(f32);
/// # #[derive(Component)] struct Velocity(f32);
/// # #[derive(Resource, Default)] struct Clock { step: f32, frame: u64 }
/// # world! { struct Game { components { Position, Velocity } resources { clock: Clock } } }
/// # #[system(Game)] fn movement(position: &mut Position, velocity: &Velocity, clock: Res<Clock>) { position.0 += velocity.0 * clock.step; }
///
/// let mut game = Game::new(Clock { step: 0.5, frame: 0 });
/// let mut physics = Schedule::<Game>::new("physics");
/// physics.add::<movement>(&mut game, 20)?;
/// physics.add_fn(&mut game, "gravity", 10, |mut bodies: Query<&mut Velocity>, clock: Res<Clock>| {
///     bodies.for_each(|velocity| velocity.0 -= 9.81 * clock.step);
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
/// Ascending by key, and in the order of adding where keys are equal. As in a schedule of `world!`, systems that do not
/// clash may run at the same time, and the result is the same.
///
/// What systems defer, through [`Commands`](crate::Commands), is done at the end of a run, before and after an exclusive
/// system, and wherever [`add_flush`](Self::add_flush) put a flush, which is what `;` is in `world!`; or, with
/// [`flush_between`](Self::flush_between), after every system.
///
/// # The world that it belongs to
/// What the systems remember, their `Local`s, how far their readers are, the slots that their commands hand out, is in
/// the schedule, and made for the world for which they were added. So the two stay together: with another world, or with
/// a copy of its own world from another time, the schedule is refused. Who clones a world, to come back to it later,
/// clones the schedule at the same time, and runs the copy with the copy. A schedule without systems belongs to no world.
///
/// [`remove`](Self::remove), [`clear`](Self::clear) and [`close`](Self::close) give back to the world what the systems
/// held. If a schedule is dropped without, its readers go on counting as readers, so that what they have not read
/// is kept, and a few blocks of slots stay reserved, until the world is dropped. No `exit` function is called then.
///
/// # Changes while it runs
/// A system cannot reach the schedule in which it runs; it leaves word with [`Schedules::edit_schedule`](crate::Schedules::edit_schedule).
///
/// # Cost
/// Adding makes the system's state; running makes a plan if the list has changed, for which every system is held against
/// those before it. Beyond that it costs what a schedule of `world!` costs.
pub struct Schedule<W: World> {
    name: &'static str,
    /// In order, unless a key was set since.
    items: Vec<Item<W>>,
    /// The states of the systems, each at the place of its item for as long as that is there.
    states: States,
    /// The places that are nobody's; and those that became nobody's since the last plan was made, in which their systems stand.
    free: Vec<usize>,
    left: Vec<usize>,
    planned: Option<Arc<Planned<W>>>,
    /// Whether the plan is of another list than this.
    stale: bool,
    /// Whether what is switched off in the plan was not looked up since a change.
    unmarked: bool,
    flush_between: bool,
    /// The number of the next item.
    next: u64,
    /// What it has in common with its world; 0 without systems.
    bond: u64,
    /// Whether it is running. Who runs it has the flag, too, and knows it again by it.
    busy: Arc<AtomicBool>,
}

/// What stands in a schedule.
struct Item<W: World> {
    /// The order of adding.
    number: u64,
    key: i64,
    step: Step<W>,
}

enum Step<W: World> {
    System { node: Node<W>, place: usize, on: bool },
    Flush,
}

/// The plan of a list.
struct Planned<W: World> {
    plan: alloc::boxed::Box<Plan<W>>,
    /// The number of the item of each entry.
    numbers: Vec<u64>,
}

impl<W: World> Schedule<W> {
    /// A schedule without systems, of any world of this type.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            items: Vec::new(),
            states: States::default(),
            free: Vec::new(),
            left: Vec::new(),
            planned: None,
            stale: false,
            unmarked: false,
            flush_between: false,
            next: 0,
            bond: 0,
            busy: Arc::default(),
        }
    }

    /// Adds a system, which may return `Result`, and sorts the list. Its readers see what is sent from now on.
    ///
    /// # Errors
    /// If it is there already; if the schedule belongs to another world.
    pub fn add<S: System<W, Out: Outcome<true>>>(
        &mut self,
        world: &mut W,
        key: i64,
    ) -> Result<(), ScheduleError> {
        self.is_new(S::NAME, !self.has::<S>())?;
        self.add_again::<S>(world, key)
    }

    /// Adds a system, even if it is there already: it has a state of its own at each of its places.
    ///
    /// # Errors
    /// If the schedule belongs to another world.
    pub fn add_again<S: System<W, Out: Outcome<true>>>(
        &mut self,
        world: &mut W,
        key: i64,
    ) -> Result<(), ScheduleError> {
        const {
            check_system::<W>(S::NAME, S::PARAMS);
            assert!(is_sound(S::PARAMS), "the parameters of this system clash");
        }
        let node = Node::new::<true, S::Out>(0, S::NAME, S::RUNNABLE, &[], &Condition::Always);
        self.insert(world, key, node, S::INIT)
    }

    /// Adds a closure under a name, and sorts the list. It takes what a system takes that runs once, up to sixteen
    /// parameters with their types written out, and may return `Result`.
    ///
    /// # Errors
    /// If a system of that name is there already; if the parameters clash, in the words in which `cargo check` says it
    /// of a system; if the schedule belongs to another world.
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
        self.is_new(name, !self.has_named(name))?;
        if let Some(message) = mistake::<W>(name, F::PARAMS) {
            return Err(ScheduleError::Clash(message.as_str().into()));
        }
        let system = function::runnable::<W, M, F>();
        let node = Node::new::<true, F::Out>(0, name, system, &[], &Condition::Always);
        self.insert(world, key, node, |world| function::state(function, world))
    }

    /// Adds a closure that takes the whole world, and sorts the list.
    ///
    /// It must not put another world in the place of its own: what the systems of this schedule remember would not fit.
    ///
    /// # Errors
    /// If a system of that name is there already; if the schedule belongs to another world.
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
        self.is_new(name, !self.has_named(name))?;
        let system = function::exclusive::<W, Out, F>();
        let node = Node::new::<true, Out>(0, name, system, &[], &Condition::Always);
        self.insert(world, key, node, |_| SystemState::new(UnsavedState(function)))
    }

    /// Adds a flush: at its place in the order everything is done that systems before it have deferred.
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
        self.push(key, Step::Flush);
    }

    /// Removes the flushes that have a key; how many there were.
    pub fn remove_flush(&mut self, key: i64) -> usize {
        let before = self.items.len();
        self.items.retain(|item| item.key != key || matches!(item.step, Step::System { .. }));
        self.stale = true;
        before - self.items.len()
    }

    /// Whether what a system defers is done before the next one begins, always. No two systems run at the same time then.
    pub fn flush_between(&mut self, on: bool) {
        self.stale |= self.flush_between != on;
        self.flush_between = on;
    }

    /// Removes a system, wherever it stands, and drops what it remembers; how many places those were.
    ///
    /// Then the system's `exit` function is called, once for each removed place: see [`#[system]`](macro@crate::system). All
    /// methods that remove systems call it.
    ///
    /// # Panics
    /// If the schedule belongs to another world.
    pub fn remove<S: System<W>>(&mut self, world: &mut W) -> usize {
        self.remove_where(world, |task| task.id == TypeId::of::<S>())
    }

    /// Removes all systems and flushes. The schedule belongs to no world then.
    ///
    /// Then the `exit` functions of the systems are called, in the reverse order of adding. If one of them panics, those after
    /// it are not called.
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
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    ///
    /// # Panics
    /// If the schedule belongs to another world.
    pub fn clear(&mut self, world: &mut W) {
        self.items.retain(|item| matches!(item.step, Step::System { .. }));
        self.remove_where(world, |_| true);
    }

    /// Ends the schedule, and gives back to the world what its systems held; their `exit` functions are called as by
    /// [`clear`](Self::clear).
    ///
    /// Events that only its readers were waiting for are dropped; those of a type that nobody else reads are kept until
    /// they are drained, as they are without any reader.
    ///
    /// # Panics
    /// If the schedule belongs to another world.
    pub fn close(mut self, world: &mut W) {
        self.clear(world);
    }

    /// Whether a system stands in the schedule.
    pub fn has<S: System<W>>(&self) -> bool {
        self.key::<S>().is_some()
    }

    /// The key of a system; of several places that of the first.
    pub fn key<S: System<W>>(&self) -> Option<i64> {
        self.key_where(|task| task.id == TypeId::of::<S>())
    }

    /// Sets the key of a system, wherever it stands; how many places those are. It has its new place in the order after
    /// the next [`sort`](Self::sort), or when something is added.
    pub fn set_key<S: System<W>>(&mut self, key: i64) -> usize {
        self.set_key_where(|task| task.id == TypeId::of::<S>(), key)
    }

    /// Sorts the list by the keys that were set; where they are equal, by the order of adding.
    pub fn sort(&mut self) {
        self.items.sort_by_key(|item| (item.key, item.number));
        self.stale = true;
    }

    /// Switches a system on or off, wherever it stands; how many places those are.
    pub fn enable<S: System<W>>(&mut self, on: bool) -> usize {
        self.enable_where(|task| task.id == TypeId::of::<S>(), on)
    }

    /// Whether a system is on at some place.
    pub fn is_enabled<S: System<W>>(&self) -> bool {
        self.is_enabled_where(|task| task.id == TypeId::of::<S>())
    }

    /// Names and keys of the systems, in the order in which they run.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, i64)> + '_ {
        self.systems().map(|(item, task)| (task.name, item.key))
    }

    /// The schedule as data, as text for Graphviz, or as JSON: its systems, the data that each reads and writes, and the systems
    /// that each waits for. It includes systems that are switched off. For the schedules of a world, see
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
    /// # Ok::<(), ecs::ScheduleError>(())
    /// ```
    ///
    /// # Cost
    /// Each call makes the plan of the schedule anew.
    pub fn graph(&self) -> ScheduleGraph {
        ScheduleGraph::of_plan(&self.plan().plan)
    }

    /// How many systems there are, those that are switched off included.
    pub fn len(&self) -> usize {
        self.systems().count()
    }

    /// Whether there are no systems.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Where systems that do not clash run, as [`Schedules::set_parallelism`](crate::Schedules::set_parallelism) says of the world's own schedules.
    pub fn set_parallelism(&mut self, parallelism: Parallelism) {
        self.states.clock.wish = parallelism;
    }

    /// Begins to add up what each system takes, or ends it, as [`Schedules::time_systems`](crate::Schedules::time_systems) does.
    pub fn time_systems(&mut self, on: bool) {
        self.states.clock.table = on.then(Vec::new);
    }

    /// What the systems took since [`time_systems`](Self::time_systems) was switched on, in the order in which they run;
    /// those that had no turn yet are not listed.
    pub fn timings(&self) -> Vec<Timing> {
        let Some(planned) = &self.planned else { return Vec::new() };
        let timings: Vec<Timing> = self.states.clock.timings(&planned.plan).collect();
        let of = |item: &Item<W>| planned.at(item.number).and_then(|at| timings.get(at)).copied();
        self.systems().filter_map(|(item, _)| of(item)).filter(|timing| timing.runs > 0).collect()
    }
}

/// A copy of the schedule, for a copy of its world: of the two pairs, each has what its systems remember. Made at another
/// time than the copy of the world it does not fit; made without one, only one of the two schedules can go on with the
/// world.
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
/// (game, schedule) = snapshot; // back to where it was
/// schedule.run(&mut game)?;
/// assert_eq!(game.resource::<Frame>().0, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<W: World> Clone for Schedule<W> {
    fn clone(&self) -> Self {
        let Self {
            name,
            items,
            states,
            free,
            left,
            planned,
            stale,
            unmarked,
            flush_between,
            next,
            bond,
            // the clone is not running
            busy: _,
        } = self;
        Self {
            name,
            items: items.clone(),
            states: states.clone(),
            free: free.clone(),
            left: left.clone(),
            planned: planned.clone(),
            stale: *stale,
            unmarked: *unmarked,
            flush_between: *flush_between,
            next: *next,
            bond: *bond,
            busy: Arc::default(),
        }
    }
}

impl<W: World> fmt::Debug for Schedule<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Systems<'s, W: World>(&'s Schedule<W>);
        impl<W: World> fmt::Debug for Systems<'_, W> {
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
