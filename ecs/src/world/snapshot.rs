//! Snapshots of worlds: what a world was, to come back to.
//!
//! A snapshot is a world of the same type whose columns are *saved*: they share copies of pages with the columns that live.
//! How that is done stands beside columns and allocator, in `storage::snapshot_pages` and `entity::snapshot_slots`.
#![expect(unsafe_code, reason = "fields of a world that is borrowed are reached by a cell")]

use alloc::sync::Arc;
use core::fmt;

use super::{World, WorldCell};
use crate::component::Has;
use crate::entity::allocator::Entities;
use crate::storage::column::Column;

/// What a world was when [`World::snapshot`] was called: entities, components, resources, events that wait, and what
/// systems remember. [`World::restore`] goes back to it, however often, and to several in any order. What runs from there on
/// runs as it did before: the same ids, the same events, the same changes to react to.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Position(i32);
/// #[derive(Component, Clone)]
/// struct Velocity(i32);
///
/// world! {
///     #[derive(Clone)]                                   // whatever is in it must be `Clone`
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
/// game.restore(&frames[2]);                              // three ticks were done
/// assert_eq!(game.get(ball), Some(&Position(3)));
/// game.get_mut::<Velocity>(ball).unwrap().0 = -1;        // an input that came late
/// (3..10).for_each(|_| game.tick());
/// assert_eq!(game.get(ball), Some(&Position(-4)));
/// ```
///
/// # What it is not
/// - What is outside of the world stays as it is. A [`Schedule`](crate::Schedule) that was built at run time does not fit a
///   world that went back: clone it with the snapshot. Changes that [wait](crate::Schedules::edit_schedule) for such a schedule go
///   back with the world.
/// - A system that takes the whole world has its [`Local`](crate::Local)s while it runs: a snapshot, clone or save that it makes does
///   not have them, and they begin with their defaults there. The states of all other systems and conditions are in it.
/// - Where systems run, and how long they took ([`Schedules::set_parallelism`](crate::Schedules::set_parallelism), [`Schedules::time_systems`](crate::Schedules::time_systems)), does not go back.
/// - Values are copied by their `Clone`. What is shared by clones, as behind an `Arc`, does not go back; and what changes
///   behind `&T`, an atomic in a component, is not seen: ask for `&mut T` of what shall go back.
///
/// # Cost
/// Values lie in pages of 64 KiB or less. A page is *touched* by an insertion, by [`World::get_mut`], and by a query that
/// visits one of its entities with `&mut T` or [`Mut<T>`](crate::Mut), whether it writes or not: ask for `&T` where `&T` will
/// do. Touched pages are copied by a snapshot; others are shared with the last one, or with the one that was restored last.
/// Going back copies pages that were touched or that were other ones then. Of pages that are shared, a snapshot holds an
/// address; their bits, one for each entity and component, are compared. Entities are shared in the same way, by pages.
/// Resources, waiting events and what systems remember are cloned, and, when going back, cloned into what there is.
///
/// A world keeps the copies of the snapshot that was taken or restored last, to share them with the next one: as much memory
/// as its values take ([`Stats::shared`](crate::Stats::shared)). A world without snapshots pays no more than a flag that is set,
/// or looked at, where it is about to write.
pub struct Snapshot<W> {
    world: Arc<W>,
}

/// A world that can be copied: `world! { #[derive(Clone)] struct .. }` implements it. The bound that code asks for which is
/// generic over its world.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::SnapshotWorld;
///
/// /// What would be after `f`; the world stays as it is.
/// fn what_if<W: SnapshotWorld, R>(world: &mut W, f: impl FnOnce(&mut W) -> R) -> R {
///     let before = world.snapshot();
///     let result = f(world);
///     world.restore(&before);
///     result
/// }
/// # #[derive(Component, Clone)] struct Coin;
/// # world! { #[derive(Clone)] struct Game { components { Coin } } }
/// # let mut game = Game::new();
/// # game.spawn(Coin);
/// # assert_eq!(what_if(&mut game, |game| { game.clear(); game.query::<&Coin>().len() }), 0);
/// # assert_eq!(game.query::<&Coin>().len(), 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no snapshots: it is not `Clone`",
    label = "needs a copy of the world",
    note = "write `#[derive(Clone)]` before the `struct` in the `world!` of `{Self}`; its components, resources and events have to be `Clone`, too"
)]
pub trait SnapshotWorld: World + Clone {
    #[doc(hidden)]
    fn __save(&mut self) -> Self;
}

impl<W: SnapshotWorld> Snapshot<W> {
    pub(super) fn of(world: &mut W) -> Self {
        Self { world: Arc::new(world.__save()) }
    }

    pub(super) fn restore_to(&self, world: &mut W) {
        world.clone_from(&self.world);
    }
}

/// Costs nothing: both are the same.
impl<W> Clone for Snapshot<W> {
    fn clone(&self) -> Self {
        Self { world: Arc::clone(&self.world) }
    }
}

impl<W: World> fmt::Debug for Snapshot<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("world", &W::NAME).finish_non_exhaustive()
    }
}

/// A column for a snapshot. `clone_from` is that of the column: to name it here would ask for `Clone` in other words than
/// the `Clone` of the world does, and who forgets it on a component would be told twice.
#[inline]
pub fn snapshot_column<W: Has<T>, T: 'static>(
    column: &mut Column<T>,
    clone_from: fn(&mut Column<T>, &Column<T>),
) -> Column<T> {
    column.save(clone_from)
}

/// The entities for a snapshot.
pub fn snapshot_entities(entities: &mut Entities) -> Entities {
    entities.save()
}

/// Makes a world what another one is; `f` assigns columns, resources and events. If that panics half way, the world is left
/// without entities, for else components would be those of the one, and ids those of the other. The list of entities and
/// the states of systems, which remember slots, ticks and ids, are both those of the other one then.
#[inline]
pub fn become_another<W: World>(world: &mut W, source: &W, f: impl FnOnce(&mut W)) {
    struct Unfinished<'w, W: World>(&'w mut W);
    impl<W: World> Drop for Unfinished<'_, W> {
        fn drop(&mut self) {
            self.0.clear();
        }
    }
    // SAFETY: the source is borrowed shared.
    let mut states = unsafe { WorldCell::shared(source).schedule_states() }.clone(); // a `Clone` that panics here changes nothing
    let unfinished = Unfinished(world);
    let cell = WorldCell::new(&mut *unfinished.0);
    // SAFETY: the world is borrowed mutably, and these are different fields.
    unsafe {
        cell.entities_mut().clone_from(source.__living());
        cell.schedule_states_mut().exchange(&mut states);
    }
    f(unfinished.0);
    drop(states); // what systems remembered may panic, too
    core::mem::forget(unfinished);
}
