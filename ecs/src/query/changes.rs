//! [`ChangesSince`], the methods of worlds that tell what changed after a [`Tick`], and
//! [`Query::since`], which does the same for any query with a filter for changes.

use alloc::vec::Vec;
use core::sync::atomic::Ordering;

use super::change::{Added, Changed};
use super::data::Data;
use super::filter::Filter;
use super::iter::Iter;
use super::param::Query;
use super::slots::SlotMatcher;
use super::structural::{self, StructuralChanges};
use super::world_query::WorldQuery;
use crate::base::tick::{TURN, Tick};
use crate::component::{Has, HasStamps};
use crate::entity::Entity;
use crate::error::JournalGap;
use crate::raw_world::{HasJournal, RawWorld, WorldFields};
use crate::resource::{HasResource, TrackedResource};

/// Methods of every world that tell which values of tracked components changed after a [`Tick`].
///
/// The cost is that of what changed: a thousand changed values of a million are found without a
/// look at the others.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)]
/// #[component(tracked)]
/// struct Health(u32);
///
/// world! { struct Game { components { Health } } }
///
/// let mut game = Game::new();
/// let ids: Vec<Entity> = game.spawn_batch([1, 2, 3].map(Health)).collect();
/// let saved = game.advance_tick();
/// assert_eq!(game.changed_since::<Health>(saved).count(), 0);
///
/// game.get_tracked::<Health>(ids[1]).unwrap().0 = 20;
/// let late = game.spawn(Health(4));
/// assert_eq!(game.changed_since::<Health>(saved).collect::<Vec<_>>(), [ids[1], late]);
/// assert_eq!(game.added_since::<Health>(saved).collect::<Vec<_>>(), [late]);
/// ```
pub trait ChangesSince: RawWorld {
    /// The tick of the last run of a system: all changes in systems so far are not later, and all
    /// changes from now on are later.
    ///
    /// Changes that were made outside of systems after the last run of a system are later, too,
    /// although they were made before the call: ticks advance with the runs of systems.
    /// [`advance_tick`](Self::advance_tick) tells these apart.
    fn change_tick(&self) -> Tick {
        Tick(self.__living().tick().saturating_sub(TURN))
    }

    /// Begins a new tick, and returns the one before it: all changes so far are not later, and all
    /// changes from now on are later.
    ///
    /// This is a change of the world: its hash and its saves contain the tick. A program that must
    /// stay equal to another one, such as the peers of a lockstep game, calls it in all of them or
    /// takes [`change_tick`](Self::change_tick).
    fn advance_tick(&mut self) -> Tick {
        Tick(self.entities_mut().next_ticks(1))
    }

    /// The entities whose value of the tracked component `T` was added or changed after `tick`, in
    /// the order of their slots.
    ///
    /// `world.query::<(Entity, &T)>().filter::<Changed<T>>().since(tick)` gives the values, too,
    /// and can have more filters.
    ///
    /// If `tick` is later than the world, which was restored since then or is another world, all
    /// entities with `T` are given.
    fn changed_since<T: 'static>(&self, tick: Tick) -> Iter<'_, Entity, Changed<T>>
    where
        Self: HasStamps<T>,
    {
        Query::<Entity, Changed<T>>::shared(self).since(tick).into_iter()
    }

    /// The entities that got a value of the tracked component `T` after `tick`, and did not have
    /// one before, in the order of their slots. See [`changed_since`](Self::changed_since).
    fn added_since<T: 'static>(&self, tick: Tick) -> Iter<'_, Entity, Added<T>>
    where
        Self: HasStamps<T>,
    {
        Query::<Entity, Added<T>>::shared(self).since(tick).into_iter()
    }

    /// Whether the tracked resource `R` was changed after `tick`: see [`TrackedResource`].
    ///
    /// If `tick` is later than the world, which was restored since then or is another world, the
    /// resource counts as changed, as the values of components do in
    /// [`changed_since`](Self::changed_since).
    fn resource_changed_since<R: TrackedResource + 'static>(&self, tick: Tick) -> bool
    where
        Self: HasResource<R>,
    {
        let entities = self.__living();
        let changed = entities.resource_tick(Self::INDEX).map(|changed| changed.load(Ordering::Relaxed));
        tick.0 > entities.tick() || changed.is_none_or(|changed| changed > tick.0)
    }

    /// The entities that had the component `T` at `tick` and do not have it now, despawned ones
    /// included, in the order of their slots.
    ///
    /// A value that was removed and inserted again since is not in the list, and neither is one
    /// that was inserted after `tick`: with [`added_since`](Self::added_since), which has those
    /// that came, this is the difference of the two states. Each single removal is in
    /// [`journal_since`](Self::journal_since).
    ///
    /// Removed values leave no trace in the columns, so the world must keep a journal:
    /// `#[world(journal = 65_536)]`. `T` may be any component.
    ///
    /// ```
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component)]
    /// struct Shield;
    ///
    /// world! {
    ///     #[world(journal = 1_000)]
    ///     struct Game { components { Shield } }
    /// }
    ///
    /// let mut game = Game::new();
    /// let ids: Vec<Entity> = game.spawn_batch([Shield, Shield, Shield]).collect();
    /// let sent = game.advance_tick();
    /// game.remove::<Shield>(ids[0])?;
    /// game.despawn(ids[2])?;
    /// let late = game.spawn(Shield);
    /// game.despawn(late)?; // came and went: not a difference
    /// assert_eq!(game.removed_since::<Shield>(sent)?, [ids[0], ids[2]]);
    /// assert_eq!(game.despawned_since(sent)?, [ids[2]]);
    /// assert_eq!(game.spawned_since(sent)?, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: that of the structural changes after `tick`.
    ///
    /// # Errors
    /// If the journal does not have all changes after `tick`: see [`JournalGap`].
    fn removed_since<T: 'static>(&self, tick: Tick) -> Result<Vec<Entity>, JournalGap>
    where
        Self: HasJournal + Has<T>,
    {
        let (entities, column) = (self.__living(), self.column::<T>());
        let has = |entity: Entity| entities.contains(entity) && column.contains(entity.slot());
        structural::removed(entities, Self::INDEX, tick, has)
    }

    /// The entities that were spawned after `tick` and are alive, in the order of their slots.
    ///
    /// Cost and bounds: see [`removed_since`](Self::removed_since).
    ///
    /// # Errors
    /// If the journal does not have all changes after `tick`: see [`JournalGap`].
    fn spawned_since(&self, tick: Tick) -> Result<Vec<Entity>, JournalGap>
    where
        Self: HasJournal,
    {
        structural::spawned(self.__living(), tick)
    }

    /// The entities that were alive at `tick` and are despawned, in the order of their slots.
    ///
    /// Cost and bounds: see [`removed_since`](Self::removed_since).
    ///
    /// # Errors
    /// If the journal does not have all changes after `tick`: see [`JournalGap`].
    fn despawned_since(&self, tick: Tick) -> Result<Vec<Entity>, JournalGap>
    where
        Self: HasJournal,
    {
        structural::despawned(self.__living(), tick)
    }

    /// The structural changes after `tick`, oldest first: spawned and despawned entities, inserted
    /// and removed components.
    ///
    /// A replaced value is no structural change. A despawn is preceded by the removal of the
    /// entity's components. Changes by systems are in the order of the systems' runs; a run's
    /// changes of different components through several [`Storage`](crate::Storage)s are sorted by
    /// component. The journal is the same for any number of threads.
    ///
    /// The world keeps a journal with `#[world(journal = 65_536)]`: the number is that of the
    /// changes that it keeps, 24 bytes each. Clones and snapshots contain the journal; they share
    /// its memory, except for the newest 1,023 changes. Saves do not contain it, so that the
    /// journal of a loaded world begins at the tick of the file. The journal is no part of the hash
    /// and of the differences that `save::diff` finds.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::error::JournalGap;
    /// use ecs::query::StructuralAction;
    /// use ecs::system::Tick;
    ///
    /// #[derive(Component)]
    /// struct Shield;
    ///
    /// world! {
    ///     #[world(journal = 4)]
    ///     struct Game { components { Shield } }
    /// }
    ///
    /// let mut game = Game::new();
    /// let hero = game.spawn(Shield);
    /// let actions = |game: &Game| game.journal_since(Tick::START).map(|all| all.map(|change| change.action).collect::<Vec<_>>());
    /// assert_eq!(actions(&game)?, [StructuralAction::Spawn, StructuralAction::Insert("Shield")]);
    ///
    /// let tick = game.advance_tick();
    /// game.despawn(hero)?;
    /// let changes: Vec<String> = game.journal_since(tick)?.map(|change| change.to_string()).collect();
    /// assert_eq!(changes, [format!("tick 4: {hero} lost Shield"), format!("tick 4: {hero} was despawned")]);
    ///
    /// game.spawn(()); // the fifth change: the first one is dropped
    /// assert!(matches!(actions(&game), Err(JournalGap::Dropped { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the journal does not have all changes after `tick`: see [`JournalGap`].
    fn journal_since(&self, tick: Tick) -> Result<StructuralChanges, JournalGap>
    where
        Self: HasJournal,
    {
        StructuralChanges::since(self.__living(), Self::COMPONENT_NAMES, tick)
    }

    /// The earliest tick for which [`journal_since`](Self::journal_since) returns all changes.
    fn journal_begin(&self) -> Tick
    where
        Self: HasJournal,
    {
        self.__living().recorded_from()
    }
}

impl<W: RawWorld> ChangesSince for W {}

impl<D: Data, F: Filter> Query<'_, D, F> {
    /// This query, in which values count as added or changed if that happened after `tick`, not
    /// since the last run of the system. [`Changed`], [`Added`], [`Ref`](crate::Ref) and
    /// [`Mut`](crate::Mut) follow it.
    ///
    /// If `tick` is later than the world, which was restored since then or is another world,
    /// everything counts as added. A query without one of these filters and elements does not
    /// compile.
    ///
    /// ```
    /// use ecs::system::Tick;
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component)]
    /// #[component(tracked)]
    /// struct Health(u32);
    /// #[derive(Resource, Default)]
    /// struct Hurt(usize);
    ///
    /// world! {
    ///     struct Game { components { Health } resources { Hurt } }
    ///     schedule tick { report }
    /// }
    ///
    /// /// Counts only in every third run, but misses no change.
    /// #[system(Game)]
    /// fn report(changed: Query<&Health, Changed<Health>>, now: Tick, mut from: Local<Tick>, mut runs: Local<u32>, mut hurt: ResMut<Hurt>) {
    ///     *runs += 1;
    ///     if *runs % 3 == 0 {
    ///         hurt.0 = changed.since(*from).len();
    ///         *from = now;
    ///     }
    /// }
    ///
    /// let mut game = Game::new(Hurt::default());
    /// let ids: Vec<Entity> = game.spawn_batch([1, 2, 3, 4].map(Health)).collect();
    /// (0..3).for_each(|_| game.tick());
    /// assert_eq!(game.resource::<Hurt>().0, 4);
    /// for &id in &ids[..3] {
    ///     game.get_tracked::<Health>(id).unwrap().0 += 1;
    ///     game.tick();
    /// }
    /// assert_eq!(game.resource::<Hurt>().0, 3);
    /// ```
    #[inline]
    #[must_use]
    pub fn since(self, tick: Tick) -> Self {
        const {
            assert!(
                <D::Columns as SlotMatcher>::DATED || <F::Columns as SlotMatcher>::DATED,
                "`since` on a query that does not ask for changes: give it a filter, such as `Changed<T>` or `Added<T>`"
            );
        }
        let known = if tick.0 > self.entities.tick() { 0 } else { tick.0 };
        Self { data: self.data.since(known), filter: self.filter.since(known), ..self }
    }
}

impl<W: RawWorld, D: Data, F: Filter> WorldQuery<'_, W, D, F> {
    /// See [`Query::since`]. Outside of systems, everything counts as added unless this names a
    /// tick.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] #[component(tracked)] struct Health(u32);
    /// # #[derive(Component)] struct Hero;
    /// # world! { struct Game { components { Health, Hero } } }
    /// let mut game = Game::new();
    /// let hero = game.spawn((Health(3), Hero));
    /// let before = game.advance_tick();
    /// game.get_tracked::<Health>(hero).unwrap().0 = 2;
    /// game.spawn(Health(1));
    /// let hurt = game.query::<(Entity, &Health)>().filter::<(Changed<Health>, With<Hero>)>().since(before);
    /// assert_eq!(hurt.iter().map(|(entity, health)| (entity, health.0)).collect::<Vec<_>>(), [(hero, 2)]);
    /// ```
    #[inline]
    #[must_use]
    pub fn since(self, tick: Tick) -> Self {
        Self { query: self.query.since(tick), ..self }
    }
}
