//! What can be done with the schedules of a world, besides running them.
#![expect(unsafe_code, reason = "the borrow of the world says what may be reached through its cell")]

use alloc::vec::Vec;
use core::any::TypeId;

use super::{Parallelism, RunError, Schedule, ScheduleGraph, Timing, TryRunOutput, states, try_run};
use crate::system::System;
use crate::world::{SnapshotWorld, World, WorldCell};

/// The verbs of schedules, of every world: where and whether their systems run, how long they took, and what waits for
/// what. A schedule itself is run by its name.
pub trait Schedules: World {
    /// The schedules as data, as text for Graphviz, or as JSON: systems, the data that each accesses, the systems that each waits
    /// for, and the declarations of the world that no schedule uses.
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
        // SAFETY: the world is borrowed shared.
        ScheduleGraph::of::<Self>(unsafe { WorldCell::shared(self).schedule_states() })
    }

    /// Where the systems of this world's schedules run that do not clash: [`Parallelism::Auto`] if nothing is said.
    ///
    /// With the feature `parallel` they run on the threads of the `rayon` pool that the caller is in. Whatever the number
    /// of threads, the world afterwards is the same.
    fn set_parallelism(&mut self, parallelism: Parallelism) {
        // SAFETY: the world is borrowed mutably, and the borrow of its places ends with the statement.
        unsafe { WorldCell::new(self).schedule_states_mut() }.set_parallelism(parallelism);
    }

    /// Begins to add up what each system of each schedule takes, or ends it. While it is off it costs nothing; while it is
    /// on, two looks at the clock for each turn of a system. Needs the feature `std`.
    fn time_systems(&mut self, on: bool) {
        // SAFETY: as above.
        unsafe { WorldCell::new(self).schedule_states_mut() }.time(on);
    }

    /// What the systems took since [`time_systems`](Self::time_systems) was switched on; nothing while it is off.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # world! { struct Game {} schedule tick { think } }
    /// # #[system(Game)] fn think(mut thoughts: Local<u32>) { *thoughts += 1; }
    /// # let mut game = Game::new();
    /// game.time_systems(true);
    /// game.tick();
    /// for timing in game.timings() {
    ///     println!("{}: {:?} in {} turns", timing.system, timing.total, timing.runs);
    /// }
    /// # if cfg!(feature = "std") {
    /// #     assert_eq!((game.timings()[0].system, game.timings()[0].runs), ("think", 1));
    /// # }
    /// ```
    fn timings(&self) -> Vec<Timing> {
        // SAFETY: the world is borrowed shared.
        unsafe { WorldCell::shared(self).schedule_states() }.timings::<Self>()
    }

    /// Switches a system on or off, wherever it stands in a schedule: one that is off is left out, and its conditions are
    /// not asked. How many places those are.
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
    fn enable<S: System<Self>>(&mut self, on: bool) -> usize {
        // SAFETY: the world is borrowed mutably, and the borrow of its places ends with the statement.
        unsafe { WorldCell::new(self).schedule_states_mut() }.enable::<Self>(TypeId::of::<S>(), on)
    }

    /// Whether a system is on at some place.
    fn is_enabled<S: System<Self>>(&self) -> bool {
        // SAFETY: the world is borrowed shared.
        unsafe { WorldCell::shared(self).schedule_states() }.is_enabled::<Self>(TypeId::of::<S>())
    }

    /// Calls `run`, which runs schedules of the world, and undoes it if a system panics or fails, or `run` itself does. The world
    /// is then as it was before. The error names the system and its schedule, and the waiting events that were read: they wait
    /// again.
    ///
    #[cfg_attr(feature = "std", doc = "```")]
    #[cfg_attr(not(feature = "std"), doc = "```no_run")] // there a panic is not caught
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
    /// assert_eq!(editor.resource::<Text>().0, ""); // as if it had not run
    /// editor.drain::<Key>().for_each(drop);        // the keys wait again: without them it runs
    /// assert!(editor.try_run(|editor| editor.tick()).is_ok());
    /// ```
    ///
    /// Changes outside of the world are not undone, and neither are those that [a snapshot](crate::Snapshot) does not keep: data
    /// that clones share, as behind an `Arc`, the [`Parallelism`], and timings. Changes that the run has asked for by
    /// [`edit_schedule`](Self::edit_schedule) are dropped, and those that waited before it wait again, also if the run has made
    /// them. A [`Schedule`](crate::Schedule) that was built at
    /// run time has a [`try_run`](crate::Schedule::try_run) of its own.
    ///
    /// # Cost
    /// Each call takes a [snapshot](World::snapshot): it copies the pages of values that were touched since the last snapshot, and
    /// clones resources, waiting events and the state of systems.
    ///
    /// # Errors
    /// If `run` returns the error of a schedule, or panics. Panics are caught with the feature `std` only.
    ///
    /// # Panics
    /// If the `Clone` of a value in the world panics.
    fn try_run<R: TryRunOutput>(&mut self, run: impl FnOnce(&mut Self) -> R) -> Result<R::Value, RunError>
    where
        Self: SnapshotWorld,
    {
        try_run::try_run(self, run)
    }

    /// Calls the `exit` functions of the systems in this world's schedules, once for each place, in the reverse order of the text.
    /// They undo what the `init` functions did when the world was made. Dropping a world does not call them, and a second call
    /// of this method calls them again.
    ///
    /// The `exit` functions of systems in a [`Schedule`](crate::Schedule) that was built at run time are called when the systems
    /// are removed.
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
        states::exit_places(self);
    }

    /// Changes a [`Schedule`](crate::Schedule) of this name: if one is running, when the stage in which it is has ended,
    /// and else when one runs next. So a system can change the schedule in which it runs: what it removes and has not run
    /// yet does not run any more; what it adds runs from the next run on, and a new order holds from then on.
    ///
    /// A change that is asked for by a change waits for the next stage, or the next run. If a change panics, those after it wait on.
    ///
    /// Changes that wait belong to the world: a copy of it has the same, and a world that goes back to a [snapshot](World::snapshot)
    /// has those that waited then, for the schedule that was cloned with the snapshot. That is why a change is `Clone`. They are not
    /// saved.
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
        // SAFETY: the world is borrowed mutably, and the borrow of its places ends with the statement.
        unsafe { WorldCell::new(self).schedule_states_mut() }.edit::<Self>(schedule, edit);
    }
}

impl<W: World> Schedules for W {}
