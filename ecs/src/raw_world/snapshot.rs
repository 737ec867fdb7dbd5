//! Snapshots of worlds: the state of a world at one time, which the world can be restored to.
//!
//! A snapshot is a second world of the same type. Its columns share pages of values with the
//! columns of the first: see `storage::snapshot_pages` for columns and `entity::snapshot_slots` for
//! the list of entities.

use alloc::sync::Arc;

use crate::component::Has;
use crate::entity::allocator::Entities;
use crate::raw_world::RawWorld;
use crate::raw_world::snapshot_world::SnapshotWorld;
use crate::storage::column::Column;

/// The state of a world when [`World::snapshot`](crate::World::snapshot) was called: entities,
/// components, resources, unread events, and the states of systems.
///
/// [`World::restore`](crate::World::restore) puts the world back into this state, any number of
/// times, and with several snapshots in any order. After that, systems run as they ran after the
/// snapshot: with the same ids, the same events, and the same changes to react to.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::Snapshot;
///
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Position(i32);
/// #[derive(Component, Clone)]
/// struct Velocity(i32);
///
/// world! {
///     #[derive(Clone)]                                   // all components, resources and events must be `Clone`
///     struct Game { components { Position, Velocity } }
///     schedule tick { movement }
/// }
///
/// #[system(Game)]
/// fn movement(position: &mut Position, velocity: &Velocity) {
///     position.0 += velocity.0;
/// }
///
/// let mut game = Game::new();
/// let ball = game.spawn((Position(0), Velocity(1)));
/// let frames: Vec<Snapshot<Game>> = (0..10).map(|_| { game.tick(); game.snapshot() }).collect();
///
/// game.restore(&frames[2]);                              // the state after three ticks
/// assert_eq!(game.get(ball), Some(&Position(3)));
/// game.get_mut::<Velocity>(ball).unwrap().0 = -1;        // an input that has arrived late
/// (3..10).for_each(|_| game.tick());
/// assert_eq!(game.get(ball), Some(&Position(-4)));
/// ```
///
/// A snapshot can also be read without a restore: [`get`](Self::get), [`query`](Self::query),
/// [`resource`](Self::resource).
///
/// # Limits
/// - A restore changes nothing outside of the world. A [`Schedule`](crate::Schedule) that was built
///   at run time does not fit a restored world: clone it with the snapshot. [Pending
///   changes](crate::Schedules::edit_schedule) of schedules are restored with the world.
/// - An exclusive system, which takes the whole world, owns its [`Local`](crate::Local)s while it
///   runs. A snapshot, clone or save that it makes does not have them, and they start with their
///   defaults there. It has the states of all other systems and conditions.
/// - The settings and results of [`Schedules::set_parallelism`](crate::Schedules::set_parallelism)
///   and [`Schedules::time_systems`](crate::Schedules::time_systems) are not restored.
/// - Values are copied by their `Clone`. Data that clones share, for example behind an `Arc`, is
///   not restored. A change behind `&T`, for example of an atomic in a component, is not seen by
///   snapshots: change components through `&mut T`.
///
/// # Cost
/// Values are stored in pages of at most 64 KiB. A page is *touched* by an insertion, by
/// [`World::get_mut`](crate::World::get_mut), and by a query that visits one of its entities with
/// `&mut T` or [`Mut<T>`](crate::Mut), even if it does not write: ask for `&T` if that is enough. A
/// snapshot copies the touched pages; it shares the others with the snapshot that was taken or
/// restored last, and holds only their addresses. A restore copies the pages that were touched
/// since, or that differ from those of the snapshot. Both compare the masks, one bit for each
/// entity and component. The list of entities is shared by pages in the same way. Resources, unread
/// events and the states of systems are cloned; a restore uses `clone_from`.
///
/// A world keeps the copies of the snapshot that was taken or restored last, to share them with the
/// next one, also after the snapshot was dropped. They take as much memory as the values of the
/// world ([`Stats::shared`](crate::world::Stats::shared)).
/// [`WorldMemory::shrink_to_fit`](crate::world::WorldMemory::shrink_to_fit) drops the copies that
/// no snapshot has any more; the next snapshot then copies all pages. A world without snapshots
/// pays only for a flag, which is set or read before a write.
pub struct Snapshot<W> {
    pub(super) world: Arc<W>,
    /// The `clone_from` of the world. With it, `restore` does not ask for a world that is `Clone`,
    /// so that a world without snapshots is one error, where the first is taken.
    clone_from: fn(&mut W, &W),
}

impl<W: SnapshotWorld> Snapshot<W> {
    pub(crate) fn of(world: &mut W) -> Self {
        Self { world: Arc::new(world.__freeze()), clone_from: W::clone_from }
    }
}

impl<W> Snapshot<W> {
    pub(crate) fn restore_to(&self, world: &mut W) {
        (self.clone_from)(world, &self.world);
    }

    /// The world of the snapshot, whose columns and allocator have shared pages only.
    pub(crate) fn world(&self) -> &W {
        &self.world
    }
}

/// Clones a reference count; both are the same snapshot.
impl<W> Clone for Snapshot<W> {
    fn clone(&self) -> Self {
        Self { world: Arc::clone(&self.world), clone_from: self.clone_from }
    }
}

debug!([W: RawWorld] Snapshot<W>, |_, f| {
    f.debug_struct("Snapshot").field("world", &W::WORLD_NAME).finish_non_exhaustive()
});

/// The copy of a column for a snapshot.
///
/// `clone_from` is that of the column, given by the caller. If this function had a bound `T: Clone`
/// instead, a component without `Clone` would be two errors: one from this bound, and one from the
/// `Clone` of the world.
#[inline]
pub fn snapshot_column<W: Has<T>, T: 'static>(
    column: &mut Column<T>,
    clone_from: fn(&mut Column<T>, &Column<T>),
) -> Column<T> {
    column.freeze(clone_from)
}

/// The copy of the list of entities for a snapshot.
pub fn snapshot_entities(entities: &mut Entities) -> Entities {
    entities.freeze()
}
