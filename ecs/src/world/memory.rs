//! [`WorldMemory`]: where the entities of a world lie in memory, and how much of it they have.

use super::{Regrouped, bulk, regroup};
use crate::bundle::batch::{Spawned, reserve};
use crate::bundle::{Bundle, Columns};
use crate::entity::spawn_sites::SpawnSite;
use crate::raw_world::{RawWorld, WorldFields};

/// Methods of every world for its memory. Import it to call them: `use ecs::world::WorldMemory;`.
pub trait WorldMemory: RawWorld {
    /// Spawns entities from columns of values: the first entity gets the first value of each
    /// column, and so on. Returns the ids in that order.
    ///
    /// Use it if the values are already stored component by component, as in a `Vec` for each: it
    /// is then faster than [`spawn_batch`](crate::World::spawn_batch), for which the values would
    /// have to be brought together in bundles. Values that are computed while the entities are
    /// spawned take about as long in both. A few thousand values of one column are written in a
    /// row, copied if they come from a `Vec`, then those of the next column. If a component has a
    /// rule, or requires other components, the entities are spawned one by one.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::world::WorldMemory;
    /// # #[derive(Component)] struct Position(i32);
    /// # #[derive(Component, PartialEq, Debug)] struct Velocity(i32);
    /// # world! { struct Game { components { Position, Velocity } } }
    /// # let mut game = Game::new();
    /// let (positions, velocities) = (vec![Position(1), Position(2)], [Velocity(10), Velocity(20)]);
    /// let pair: Vec<Entity> = game.spawn_columns((positions, velocities)).collect();
    /// assert_eq!(game.get(pair[1]), Some(&Velocity(20)));
    ///
    /// let row = game.spawn_columns(((0..100).map(Position), (0..100).map(Velocity)));
    /// assert_eq!(row.len(), 100);
    /// ```
    ///
    /// # Panics
    /// If the columns have different lengths, or more entities than there are slots or memory for;
    /// if an iterator panics or yields fewer values than its length; or if a rule of a component
    /// refuses a value. In each case no entity is spawned.
    #[cfg_attr(debug_assertions, track_caller)]
    fn spawn_columns<C: Columns<Self>>(&mut self, columns: C) -> Spawned<'_> {
        let ranges = columns.spawn(self).into_ranges();
        Spawned::at(SpawnSite::of_caller(), self.entities_mut(), ranges)
    }

    /// Allocates memory for `count` more entities with the components of a bundle, so that spawning
    /// them allocates no pages. Components that they require need pages of their own, unless they
    /// are in the bundle. Other entities may use the room, too.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::world::WorldMemory;
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Velocity(f32);
    /// # world! { struct Game { components { Position, Velocity } } }
    /// # let mut game = Game::new();
    /// game.reserve::<(Position, Velocity)>(100_000);
    /// let before = game.stats().columns[0].bytes;
    /// game.spawn_batch((0..100_000).map(|n| (Position(n as f32), Velocity(1.0))));
    /// assert_eq!(game.stats().columns[0].bytes, before);
    /// ```
    ///
    /// Cost: visits each slot. The ids of entities that are spawned afterwards may be others than
    /// without the call.
    ///
    /// # Panics
    /// If the world would hold more than about four thousand million slots.
    fn reserve<B: Bundle<Self>>(&mut self, count: usize) // `reserve::<(A, B)>(1000)`
    {
        reserve::<Self, B::BundleComponents>(self, count);
    }

    /// Moves entities to the slots of those with the same components, so that queries visit them
    /// one after the other. Returns the entities that were moved, with their former and their
    /// present ids.
    ///
    /// An entity stays in the slot in which it was spawned, among those that were spawned with the
    /// same components. If it gets its components later, or is one of a few with these components,
    /// its slot lies among slots that a query does not match, and the query takes longer to reach
    /// it. A program calls `regroup` at a quiet moment: when a level is built, or while a menu is
    /// open.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::world::WorldMemory;
    ///
    /// #[derive(Component)] struct Position(f32);
    /// #[derive(Component)] struct Velocity(f32);
    ///
    /// world! { struct Game { components { Position, Velocity, ChildOf } } }
    ///
    /// let mut game = Game::new();
    /// let ids: Vec<Entity> = (0..1000).map(|_| game.spawn(())).collect();
    /// for &id in &ids {
    ///     game.insert(id, Position(0.0))?;
    /// }
    /// for &id in ids.iter().step_by(4) {
    ///     game.insert(id, Velocity(1.0))?;
    /// }
    /// let wheel = game.spawn(ChildOf(ids[4]));
    /// assert_eq!(game.query::<(&Position, &Velocity)>().chunks().count(), 250); // each lies alone
    ///
    /// let moved = game.regroup();
    /// assert_eq!(game.query::<(&Position, &Velocity)>().chunks().count(), 1);
    /// assert_eq!(game.target::<ChildOf>(moved.current(wheel)), Some(moved.current(ids[4]))); // relations follow
    /// # Ok::<(), ecs::error::InsertError>(())
    /// ```
    ///
    /// # Ids
    /// An entity that moves gets another id. Its former id is that of a despawned entity from then
    /// on, and becomes valid again only if an earlier snapshot is restored.
    /// - The library replaces the former ids that it knows: the targets and sources of relations,
    ///   the entities of indexes, unique components and [`StableId`](crate::component::StableId)s,
    ///   the log of `Removed`, and the history of `Entered` and `Exited` in the schedules of the
    ///   world. A [hook](crate::component::ComponentHook) gets a call of `removed` with the former
    ///   id and of `inserted` with the present one.
    /// - The program replaces its own with [`Regrouped::update`](crate::world::Regrouped::update):
    ///   variables, ids in resources, such as the events and commands of a
    ///   [`Delayed`](crate::time::Delayed), unread events and [`Local`](crate::Local)s, and ids in
    ///   components that are no relations. A schedule that was built at run time, and an exclusive
    ///   system that calls `regroup`, have a history of `Entered` and `Exited` outside of the
    ///   world, with the former ids.
    /// - Commands that are queued, behind a [`Commands::run`](crate::Commands::run) that calls
    ///   `regroup`, and those of runs in the background, have the former ids, and fail for entities
    ///   that moved.
    /// - These entities do not move: those in slots that
    ///   [`reserve_ids`](crate::world::WorldIds::reserve_ids) keeps, since another program has
    ///   chosen their ids, and those in blocks in which the commands of a system spawn next.
    ///
    /// Otherwise the move has no effect that a system sees. No value counts as added or removed, and
    /// as changed only a `tracked` relation whose target has another id now. Observers do not run,
    /// and no value is cloned or dropped. Queries visit the entities
    /// in another order, that of their present slots. A
    /// [journal](crate::query::ChangesSince::journal_since) has each entity as despawned with its
    /// former id, and as spawned with the present one; a delta and a client of a replicated world
    /// see the same.
    ///
    /// # Hash
    /// Ids are part of the state, so that the `hash` of a world changes with them. Worlds with
    /// equal hashes have equal hashes after both are regrouped: peers of a lockstep game call
    /// `regroup` in the same step.
    ///
    /// # Cost
    /// About that of despawning and spawning the entities that move, and a look at the components
    /// of each other entity. Entities that fill most of a block with others of the same components
    /// stay there, so that a second call moves nothing. While the values of a component move, the
    /// component takes twice its memory.
    ///
    /// # Panics
    /// If a hook panics. All entities are moved and all hooks have been called before the panic
    /// goes on, but the list of the moved entities is lost. If the world has no room for the blocks
    /// that the moved entities need: then none of them is moved.
    fn regroup(&mut self) -> Regrouped {
        regroup::regroup(self)
    }

    /// Gives back memory that the values do not need, such as after a level with many more entities
    /// than the next one.
    ///
    /// Ids, values, change ticks and the hash of the world stay as they are. The method frees the
    /// pages of values, of change ticks and of indexes without any entity, the room for further
    /// pages, also that of [`reserve`](Self::reserve), the room of the logs of removed values, and
    /// the copies of values that the world has kept of a snapshot that was dropped. A page has up
    /// to 4,096 slots, and entities keep their slots: entities that are far apart keep a page each.
    /// The world keeps about five bytes for each slot that was ever used, since the generations of
    /// ids are never reused; the copies of values that the world shares with
    /// [snapshots](crate::World::snapshot) that were not dropped; the room of the queues of events
    /// and commands; and what values and resources themselves own.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::world::WorldMemory;
    /// # #[derive(Component)] struct Position([f32; 2]);
    /// # world! { struct Game { components { Position } } }
    /// let mut game = Game::new();
    /// let hero = game.spawn(Position([1.0, 2.0]));
    /// game.spawn_batch((0..100_000).map(|n| Position([n as f32, 0.0])));
    /// game.retain::<(Entity, &Position)>(|(entity, _)| entity == hero);
    /// let before = game.stats().bytes;
    /// game.shrink_to_fit();
    /// assert!(game.stats().bytes * 20 < before);
    /// assert_eq!(game.get::<Position>(hero).map(|position| position.0), Some([1.0, 2.0]));
    /// ```
    ///
    /// Cost: a column that has something to free copies its pages that have values to an allocation
    /// of their size, and needs the memory of both meanwhile. The next entities allocate pages
    /// again.
    fn shrink_to_fit(&mut self) {
        bulk::shrink(self);
    }
}

#[diagnostic::do_not_recommend]
impl<W: RawWorld> WorldMemory for W {}
