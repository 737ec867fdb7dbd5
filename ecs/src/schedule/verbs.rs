//! [`Schedules`], the methods of worlds for their schedules. `world!` adds a method to the world
//! for running each schedule.

use alloc::vec::Vec;
use core::any::TypeId;

use super::graph::WorldNames;
use super::plan::{any_plans, plans};
use super::run::step_node;
use super::watch::{SystemStep, Watch};
use super::{Parallelism, RunError, Schedule, ScheduleGraph, Timing, TryRunOutput, states, try_run};
use crate::error::SystemError;
use crate::raw_world::{RawWorld, SnapshotWorld, WorldFields};
use crate::system::System;

/// Methods of every world for its schedules: parallelism, switching systems on and off, run times,
/// the schedule graph, and runs that are undone if they fail. To run a schedule, call the method
/// with its name.
pub trait Schedules: RawWorld {
    /// Returns the graph of the world's schedules: the systems, the data that each accesses, the
    /// systems that each waits for, and the declarations of the world that no schedule uses. It can
    /// be written as text for Graphviz or as JSON.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Velocity(f32);
    /// # world! { struct Game { components { Position, Velocity } } schedule tick { steer, movement } }
    /// # #[system(Game)] fn steer(velocity: &mut Velocity) { velocity.0 += 1.0; }
    /// # #[system(Game)] fn movement(position: &mut Position, velocity: &Velocity) { position.0 += velocity.0; }
    /// let graph = Game::new().schedule_graph();
    /// let edge = &graph.schedules[0].edges[0];
    /// assert_eq!((edge.from, edge.to, edge.over.as_slice()), (0, 1, ["Velocity"].as_slice()));
    /// assert!(graph.to_dot().contains("n0_0 -> n0_1"));
    /// ```
    fn schedule_graph(&self) -> ScheduleGraph {
        ScheduleGraph::of_world(WorldNames::of::<Self>(), any_plans::<Self>(), states::of(self))
    }

    /// Sets whether systems of this world's schedules that do not clash run at the same time. The
    /// default is [`Parallelism::Auto`].
    ///
    /// With the feature `parallel`, they run on the threads of the `rayon` pool of the caller. The
    /// result is the same for any number of threads. The setting also holds for the entities of
    /// systems that are marked `par`, and for [`Query::par_for_each`](crate::Query::par_for_each)
    /// and the methods beside it: see [`Parallelism`].
    fn set_parallelism(&mut self, parallelism: Parallelism) {
        self.entities_mut().set_division(parallelism.division());
        states::of_mut(self).set_parallelism(parallelism);
    }

    /// Starts or stops measuring the run time of each system of each schedule. Needs the feature
    /// `std`.
    ///
    /// # Cost
    /// While it is on, the clock is read twice for each run of a system. While it is off, it costs
    /// nothing.
    fn time_systems(&mut self, on: bool) {
        states::of_mut(self).time_systems(on);
    }

    /// Returns the run times of the systems since [`time_systems`](Self::time_systems) was switched
    /// on; empty while it is off.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # world! { struct Game {} schedule tick { think } }
    /// # #[system(Game)] fn think(mut thoughts: Local<u32>) { *thoughts += 1; }
    /// # let mut game = Game::new();
    /// game.time_systems(true);
    /// game.tick();
    /// for timing in game.timings() {
    ///     println!("{}: {:?} in {} runs", timing.system, timing.total, timing.runs);
    /// }
    /// # if cfg!(feature = "std") {
    /// #     assert_eq!((game.timings()[0].system, game.timings()[0].runs), ("think", 1));
    /// # }
    /// ```
    fn timings(&self) -> Vec<Timing> {
        states::of(self).timings(any_plans::<Self>())
    }

    /// Calls `watch` with the world after each system that runs in a schedule, and after the
    /// commands of each, until [`stop_watching`](Self::stop_watching). A world has one such
    /// function; copies of it have none. A debugger finds out with it which system has changed a
    /// value.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component)] struct Health(u32);
    /// world! { struct Game { components { Health } } schedule tick { hurt, raise; } }
    /// #[system(Game)] fn hurt(health: &mut Health) { health.0 -= 3; }
    /// #[system(Game)] fn raise(dead: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    ///     dead.iter().filter(|(_, health)| health.0 == 0).for_each(|(dead, _)| commands.insert(dead, Health(1)));
    /// }
    ///
    /// let mut game = Game::new();
    /// let hero = game.spawn(Health(3));
    /// let log = Arc::new(Mutex::new(Vec::new()));
    /// let writer = log.clone();
    /// game.watch_systems(move |game, step| {
    ///     writer.lock().unwrap().push(format!("{step}: {}", game.get::<Health>(hero).unwrap().0));
    /// });
    /// game.tick();
    /// game.stop_watching();
    /// assert_eq!(*log.lock().unwrap(), ["hurt: 0", "raise: 0", "raise (commands): 1"]);
    /// ```
    ///
    /// The systems run one after the other, in the order of the text, with the same result as
    /// without the function. Systems of a [`Schedule`](crate::Schedule), observers, and systems of
    /// schedules in schedules are watched, too; a system that is switched off, or in a group whose
    /// condition does not hold, is not. If a system replaces the world by another one, the function
    /// is dropped with the former world. A system that calls this method is watched from the next
    /// run of its schedule. A function that panics does not watch any longer; its panic goes on as
    /// one of the system.
    ///
    /// # Cost
    /// A world that is not watched pays nothing.
    fn watch_systems(&mut self, watch: impl FnMut(&Self, &SystemStep) + Send + Sync + 'static) {
        states::of_mut(self).set_watch(Watch::new(watch));
    }

    /// Drops the function of [`watch_systems`](Self::watch_systems).
    fn stop_watching(&mut self) {
        states::of_mut(self).set_watch(Watch::NONE);
    }

    /// Runs the system with a name in a schedule, as a run of the schedule does: with its condition
    /// and those of its groups, and with its `Local`s and readers, unless it is switched off. Its
    /// events are sent and its commands are applied at once. Returns whether the schedule has such
    /// a system: the name after `as`, or the text of the schedule for others.
    ///
    /// A debugger steps through a schedule with it, by the names of
    /// [`schedule_graph`](Self::schedule_graph):
    ///
    /// ```
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component)] struct Height(f32);
    /// #[derive(Component)] struct Speed(f32);
    /// world! { struct Game { components { Height, Speed } } schedule tick { pull, fall } }
    /// #[system(Game)] fn pull(speed: &mut Speed) { speed.0 -= 10.0; }
    /// #[system(Game)] fn fall(height: &mut Height, speed: &Speed) { height.0 += speed.0; }
    ///
    /// let mut game = Game::new();
    /// let stone = game.spawn((Height(50.0), Speed(0.0)));
    /// let mut seen = Vec::new();
    /// for node in &game.schedule_graph().schedules[0].nodes {
    ///     game.run_named("tick", node.system)?;
    ///     seen.push((node.system, game.get::<Height>(stone).unwrap().0));
    /// }
    /// assert_eq!(seen, [("pull", 50.0), ("fall", 40.0)]);
    /// # Ok::<(), ecs::error::SystemError>(())
    /// ```
    ///
    /// # Errors
    /// If the system fails.
    ///
    /// # Panics
    /// If the schedule is running, further up the call stack.
    fn run_named(&mut self, schedule: &str, system: &str) -> Result<bool, SystemError> {
        let Some(plan) = plans::<Self>().iter().copied().find(|plan| plan.name == schedule) else {
            return Ok(false);
        };
        match plan.entries.iter().position(|entry| entry.node.task.name == system) {
            None => Ok(false),
            Some(node) => step_node(self, plan, node).map(|()| true),
        }
    }

    /// Switches a system on or off in all schedules, and returns the number of its places. While a
    /// system is off, it does not run, and neither do its conditions.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # world! { struct Game { resources { Score = Score::default() } } schedule tick { score } }
    /// # #[derive(Resource, Default)] struct Score(u32);
    /// # #[system(Game)] fn score(mut score: ResMut<Score>) { score.0 += 1; }
    /// # let mut game = Game::new();
    /// assert_eq!(game.enable::<score>(false), 1);
    /// game.tick();
    /// assert_eq!(game.resource::<Score>().0, 0);
    /// ```
    fn enable<S: System<Self>>(&mut self, on: bool) -> usize // `enable::<movement>(false)`
    {
        states::of_mut(self).enable(any_plans::<Self>(), TypeId::of::<S>(), on)
    }

    /// Whether a system is switched on in at least one place of a schedule.
    fn is_enabled<S: System<Self>>(&self) -> bool // `is_enabled::<movement>()`
    {
        states::of(self).is_enabled(any_plans::<Self>(), TypeId::of::<S>())
    }

    /// Switches the systems with a name on or off in all schedules, and returns the number of their
    /// places, as [`enable`](Self::enable) does by type: the name after `as`, or the text of the
    /// schedule for others.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # world! { struct Game { resources { Score = Score::default() } } schedule tick { score; score as bonus } }
    /// # #[derive(Resource, Default)] struct Score(u32);
    /// # #[system(Game)] fn score(mut score: ResMut<Score>) { score.0 += 1; }
    /// # let mut game = Game::new();
    /// assert_eq!(game.enable_named("bonus", false), 1);
    /// game.tick();
    /// assert_eq!(game.resource::<Score>().0, 1);
    /// ```
    fn enable_named(&mut self, name: &str, on: bool) -> usize {
        states::of_mut(self).enable_where(any_plans::<Self>(), &|task| task.name == name, on)
    }

    /// Whether a system with a name is switched on in at least one place of a schedule.
    fn is_enabled_named(&self, name: &str) -> bool {
        states::of(self).is_enabled_where(any_plans::<Self>(), &|task| task.name == name)
    }

    /// Calls `run`, which runs schedules of the world, and restores the world to its state before
    /// the call if `run` fails: if a system panics or returns an error, or `run` itself does. The
    /// error names the system and its schedule. It also lists the events that the run had read: in
    /// the restored world they are unread again.
    ///
    #[cfg_attr(feature = "std", doc = "```")]
    #[cfg_attr(not(feature = "std"), doc = "```no_run")] // without `std`, a panic is not caught
    /// use ecs::prelude::*;
    ///
    /// #[derive(Event, Clone)] struct Key(char);
    /// #[derive(Resource, Clone, Default)] struct Text(String);
    /// world! {
    ///     #[derive(Clone)]
    ///     struct Editor { resources { Text } events { Key(external) } }
    ///     schedule tick { write }
    /// }
    /// #[system(Editor)]
    /// fn write(mut keys: EventReader<Key>, mut text: ResMut<Text>) {
    ///     for key in &mut keys {
    ///         assert!(key.0.is_ascii(), "no such key");
    ///         text.0.push(key.0);
    ///     }
    /// }
    ///
    /// let mut editor = Editor::default();
    /// "abcñ".chars().for_each(|key| editor.send(Key(key)));
    /// let error = editor.try_run(|editor| editor.tick()).unwrap_err();
    /// assert_eq!((error.schedule, error.system), ("tick", "write"));
    /// assert_eq!((error.consumed[0].event, error.consumed[0].count), ("Key", 4));
    /// assert_eq!(editor.resource::<Text>().0, ""); // the run was undone
    /// // without the keys, which are unread again, the run succeeds
    /// editor.drain::<Key>().for_each(drop);
    /// assert!(editor.try_run(|editor| editor.tick()).is_ok());
    /// ```
    ///
    /// Changes outside of the world are not undone. Neither are changes of data that [a
    /// snapshot](crate::Snapshot) does not contain: data that clones share, as behind an `Arc`, the
    /// [`Parallelism`], and timings. Edits that the run has requested with
    /// [`edit_schedule`](Self::edit_schedule) are dropped. Edits that waited before the run wait
    /// again, even if the run has applied them. A [`Schedule`](crate::Schedule) that is built at
    /// run time has its own [`try_run`](crate::Schedule::try_run).
    ///
    /// # Cost
    /// Each call takes a [snapshot](crate::World::snapshot): it copies the pages of values that
    /// were written since the last snapshot, and clones resources, unread events and the states of
    /// systems. The world keeps the copies of the pages for the next call, until
    /// [`shrink_to_fit`](crate::world::WorldMemory::shrink_to_fit).
    ///
    /// # Errors
    /// If `run` returns the error of a schedule, or panics. Without the feature `std`, panics are
    /// not caught.
    ///
    /// # Panics
    /// If the `Clone` of a value in the world panics.
    fn try_run<R: TryRunOutput>(&mut self, run: impl FnOnce(&mut Self) -> R) -> Result<R::Value, RunError>
    where
        Self: SnapshotWorld,
    {
        try_run::try_run(self, run)
    }

    /// Calls the `exit` functions of the systems in this world's schedules, once for each place, in
    /// the reverse order of the text. They are the counterpart of the `init` functions, which were
    /// called when the world was made. Dropping a world does not call them, and a second call of
    /// this method calls them again.
    ///
    /// The `exit` functions of systems in a [`Schedule`](crate::Schedule) that was built at run
    /// time are called when the systems are removed.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Resource, Default)]
    /// struct Open(Vec<&'static str>);
    ///
    /// world! {
    ///     struct Game { resources { Open = Open::default() } }
    ///     schedule tick { draw }
    /// }
    ///
    /// #[system(Game, init = open, exit = close)]
    /// fn draw(open: Res<Open>) {
    ///     assert_eq!(open.0, ["window"]);
    /// }
    /// fn open(game: &mut Game) { game.resource_mut::<Open>().0.push("window") }
    /// fn close(game: &mut Game) { game.resource_mut::<Open>().0.clear() }
    ///
    /// let mut game = Game::new();
    /// game.tick();
    /// game.exit_systems();
    /// assert!(game.resource::<Open>().0.is_empty());
    /// ```
    fn exit_systems(&mut self) {
        states::exit_systems(self);
    }

    /// Requests a change of the [`Schedule`](crate::Schedule) with this name. If it is running, the
    /// change is applied at the end of the current stage, otherwise at the beginning of its next
    /// run.
    ///
    /// So a system can change the schedule in which it runs. A removed system that has not run yet
    /// in this run does not run any more. An added system, and a new order, take effect at the next
    /// run.
    ///
    /// A change that another change requests waits for the next stage, or the next run. If a change
    /// panics, those after it keep waiting.
    ///
    /// Waiting changes belong to the world, and are not saved. A copy of the world has them, too,
    /// and a world that is restored from a [snapshot](crate::World::snapshot) has those of the
    /// snapshot, for the schedule that was cloned with it. For this reason a change is `Clone`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Schedule;
    /// # #[derive(Resource, Default)] struct Log(Vec<&'static str>);
    /// # world! { struct Game { resources { Log } } }
    /// # let mut game = Game::default();
    /// let mut schedule = Schedule::<Game>::new("frame");
    /// schedule.add_exclusive(&mut game, "once", 0, |game: &mut Game| {
    ///     game.edit_schedule("frame", |schedule, game| _ = schedule.remove_named(game, "once"));
    /// })?;
    /// schedule.run(&mut game)?;
    /// assert!(schedule.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn edit_schedule(
        &mut self,
        schedule: &'static str,
        edit: impl FnOnce(&mut Schedule<Self>, &mut Self) + Clone + Send + Sync + 'static,
    ) {
        states::of_mut(self).edit::<Self>(schedule, edit);
    }
}

impl<W: RawWorld> Schedules for W {}

/// [`Schedules::enable`] of a system whose type is known at run time.
#[cfg(feature = "reflect")]
pub(crate) fn enable_by_id<W: RawWorld>(world: &mut W, system: TypeId, on: bool) -> usize {
    states::of_mut(world).enable(any_plans::<W>(), system, on)
}

/// [`Schedules::is_enabled`] of a system whose type is known at run time.
#[cfg(feature = "reflect")]
pub(crate) fn is_enabled_by_id<W: RawWorld>(world: &W, system: TypeId) -> bool {
    states::of(world).is_enabled(any_plans::<W>(), system)
}
