//! The removed values of a component, as a parameter.
#![expect(unsafe_code, reason = "parameters are made from a world whose accesses were checked")]

use core::fmt;
use core::iter::Chain;
use core::slice;
use core::sync::atomic::{AtomicU64, Ordering};

use super::access::Access;
use super::{StateParts, SystemParam, SystemPhase};
use crate::component::HasRemoved;
use crate::entity::Entity;
use crate::world::WorldCell;

/// As a parameter: the values of `T` that were removed, with the entities that had them, and that this system, at this
/// place, has not read. For components with `#[component(removed)]`.
///
/// Each place in a schedule is a reader of its own, and sees each removal exactly once, in the order in which they
/// happened, however that was: by `remove`, by the death of the entity, or by `clear`. A value that another one replaces
/// is not removed, nor is one that commands add and remove again in one flush. Values are freed when a schedule ends and all
/// readers have read them. Where no schedule has a reader, no values are kept. A system that runs by itself, with `run`, sees the
/// values that are kept, and frees none.
///
/// A reader does not read while its system is skipped by a condition that is false, while its system is switched off, and while
/// its schedule is not called. Meanwhile the newest 1,048,576 values are kept when a run of a schedule ends. The first loss is reported on
/// the standard error, with the system and the schedule of the slowest reader. [`missed`](Self::missed) counts the lost values, and
/// [`World::stats`](crate::World::stats) tells how far each reader is behind. `#[component(removed = 1024)]` sets another
/// bound, which holds at any time, and `#[component(removed = all)]` removes it.
///
/// Of a value that is given to the one who removed it, a clone is kept; others are moved.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, Clone)]
/// #[component(removed)]
/// struct Gold(u32);
///
/// #[derive(Resource, Default)]
/// struct Lost(u32);
///
/// world! {
///     struct Game { components { Gold } resources { lost: Lost = Lost::default() } }
///     schedule tick { count }
/// }
///
/// #[system(Game)]
/// fn count(mut removed: Removed<Gold>, mut lost: ResMut<Lost>) {
///     for (_, gold) in &mut removed {
///         lost.0 += gold.0;
///     }
/// }
///
/// let mut game = Game::new();
/// let rich = game.spawn(Gold(100));
/// let poor = game.spawn(Gold(1));
/// game.despawn(rich)?;
/// game.remove::<Gold>(poor)?;
/// game.tick();
/// assert_eq!(game.resource::<Lost>().0, 101);
/// # Ok::<(), ecs::NoSuchEntity>(())
/// ```
pub struct Removed<'w, T> {
    unread: [&'w [(Entity, T)]; 2],
    missed: u64,
    cursor: Option<(&'w AtomicU64, u64)>,
}

impl<'w, T> Removed<'w, T> {
    /// A reader of these values, for calling a system as the function it is.
    pub const fn new(unread: &'w [(Entity, T)]) -> Self {
        Self { unread: [unread, &[]], missed: 0, cursor: None }
    }

    /// The unread values, in the order in which they were removed. They count as read from now on.
    pub fn iter(&mut self) -> RemovedIter<'w, T> {
        let [front, back] = self.unread;
        self.clear();
        RemovedIter(front.iter().chain(back))
    }

    /// How many values there are to read.
    pub const fn len(&self) -> usize {
        self.unread[0].len() + self.unread[1].len()
    }

    /// Whether there is nothing to read.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of values that this reader has missed since it last read, because there were more than the bound allows.
    pub const fn missed(&self) -> u64 {
        self.missed
    }

    /// Counts all values as read.
    pub fn clear(&mut self) {
        self.unread = [&[], &[]];
        self.missed = 0;
        if let Some((cursor, end)) = self.cursor {
            cursor.store(end, Ordering::Relaxed);
        }
    }
}

/// What a [`Removed`] remembers: which reader it is; one that runs once is none.
#[derive(Clone)]
pub struct RemovedState(Option<usize>);

// how far it is, the log knows
impl StateParts for RemovedState {}

// SAFETY: it reads the log, which changes only when values are removed; its cursor is atomic.
unsafe impl<T: 'static, W: HasRemoved<T>> SystemParam<W> for Removed<'_, T> {
    const ACCESS: Access = Access::presence(W::INDEX);
    type State = RemovedState;
    type Item<'w> = Removed<'w, T>;
    fn init(_: &mut W) -> RemovedState {
        RemovedState(None)
    }
    unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut RemovedState) -> Removed<'w, T> {
        // SAFETY: the caller keeps those away who remove values.
        let removals = unsafe { world.column::<T>() }.removals();
        let Some(removals) = removals else { return Removed::new(&[]) };
        let cursor = state.0.and_then(|reader| removals.cursor(reader));
        let (unread, missed) = removals.after(cursor.map_or(0, |cursor| cursor.load(Ordering::Relaxed)));
        Removed { unread, missed, cursor: cursor.map(|cursor| (cursor, removals.end())) }
    }
    fn lend<'a>(item: &'a mut Removed<'_, T>) -> Removed<'a, T> {
        Removed { ..*item }
    }
    unsafe fn finish(world: WorldCell<'_, W>, state: &mut RemovedState, phase: &mut SystemPhase<'_, W>) {
        // SAFETY: in the two phases nobody else accesses the world, by the caller's promise.
        let removals = || unsafe { world.column_mut::<T>() }.removals_mut(W::MOST, W::COPY);
        match phase {
            SystemPhase::Open(place) => state.0 = place.map(|place| removals().subscribe(place)),
            SystemPhase::Close => _ = state.0.take().map(|reader| removals().unsubscribe(reader)),
            _ => {}
        }
    }
    unsafe fn has_news(world: WorldCell<'_, W>, state: &mut RemovedState) -> bool {
        // SAFETY: nobody else accesses the world, by the caller's promise.
        !unsafe { Self::get(world, state) }.is_empty()
    }
}

/// The values of a [`Removed`].
pub struct RemovedIter<'w, T>(Chain<Values<'w, T>, Values<'w, T>>);

type Values<'w, T> = slice::Iter<'w, (Entity, T)>;

impl<T> Clone for RemovedIter<'_, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'w, T> Iterator for RemovedIter<'w, T> {
    type Item = (Entity, &'w T);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(entity, value)| (*entity, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<'w, T> IntoIterator for &mut Removed<'w, T> {
    type Item = (Entity, &'w T);
    type IntoIter = RemovedIter<'w, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> fmt::Debug for Removed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Removed").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for RemovedIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemovedIter").finish_non_exhaustive()
    }
}
