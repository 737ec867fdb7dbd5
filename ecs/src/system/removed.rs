//! [`Removed`]: a system parameter that reads the removed values of a component.

use core::iter::Chain;
use core::slice;

use super::{StateParts, SystemPhase};
use crate::entity::Entity;
use crate::storage::readers::{LogReading, ReadQueue};

/// System parameter: reads the removed values of `T`, with their entities, that this system has not
/// read yet.
///
/// `T` must be declared with `#[component(removed)]`. Each place in a schedule is a reader of its
/// own, which reads each removal once, in the order of the removals. A value is removed by
/// `remove`, by the despawn of its entity, or by `clear`. A value that is replaced by another one
/// does not count as removed; neither does a value that commands add and remove again in one flush.
///
/// When the run of a schedule ends, the values that all readers have read are dropped. If no
/// schedule has a reader of `T`, no values are kept. A system that is run by
/// [`World::run`](crate::World::run) reads the values that are kept, and is not a reader for which
/// values are kept.
///
/// # How many are kept
/// A reader does not read while its system is skipped by a condition or switched off, and while its
/// schedule is not called. At the end of a run of a schedule, at most the newest 1,048,576 unread
/// values are kept, and older ones are dropped. The first loss is reported on the standard error,
/// with the system and the schedule of the slowest reader. [`missed`](Self::missed) is the number
/// of lost values, and [`World::stats`](crate::World::stats) gives the number of unread values of
/// each reader. `#[component(removed = 1024)]` sets another bound, which holds at any time;
/// `#[component(removed = all)]` sets none.
///
/// # Cost
/// Despawning moves the value into the log. `remove`, which returns the value to its caller, puts a
/// clone into the log.
///
/// # Example
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
/// # Ok::<(), ecs::error::NoSuchEntity>(())
/// ```
pub struct Removed<'w, T> {
    pub(super) unread: [&'w [(Entity, T)]; 2],
    pub(super) reading: LogReading<'w>,
}

impl<'w, T> Removed<'w, T> {
    /// A reader of these values, to call a system as a plain function.
    pub const fn new(unread: &'w [(Entity, T)]) -> Self {
        Self { unread: [unread, &[]], reading: LogReading::NONE }
    }

    /// Iterates over the unread values, in the order in which they were removed. All of them count
    /// as read from this call on.
    pub fn iter(&mut self) -> RemovedIter<'w, T> {
        let unread = self.peek();
        self.clear();
        unread
    }

    /// Iterates over the unread values, and leaves them unread.
    pub(crate) fn peek(&self) -> RemovedIter<'w, T> {
        let [front, back] = self.unread;
        RemovedIter(front.iter().chain(back))
    }

    /// The number of unread values.
    pub const fn len(&self) -> usize {
        self.unread[0].len() + self.unread[1].len()
    }

    /// Whether there are no unread values.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of values that this reader has missed since it last read, because the bound was
    /// exceeded.
    pub const fn missed(&self) -> u64 {
        self.reading.missed
    }

    /// Marks all unread values as read.
    pub fn clear(&mut self) {
        self.unread = [&[], &[]];
        self.reading.end();
    }
}

/// The state of a [`Removed`] or an [`EventReader`](crate::EventReader): the number of its reader in
/// the queue; `None` in a system that runs once.
#[derive(Clone, Default)]
pub struct ReaderState(pub(super) Option<usize>);

// The queue saves the position of the reader.
impl StateParts for ReaderState {}

impl ReaderState {
    /// Adds a reader to a queue when the system gets a place in a schedule, and removes it with the
    /// place. A system that runs once has no place and no reader.
    pub(super) fn follow<'q, T: 'q, W>(
        &mut self,
        phase: &SystemPhase<'_, W>,
        queue: impl FnOnce() -> &'q mut ReadQueue<T>,
    ) {
        match phase {
            SystemPhase::Open(place) => self.0 = place.map(|place| queue().subscribe(place)),
            SystemPhase::Close => _ = self.0.take().map(|reader| queue().readers.unsubscribe(reader)),
            _ => {}
        }
    }
}

/// Iterator over the removed values of a component and their entities: see [`Removed::iter`].
pub struct RemovedIter<'w, T>(Chain<Values<'w, T>, Values<'w, T>>);

type Values<'w, T> = slice::Iter<'w, (Entity, T)>;

clone!([T] RemovedIter<'_, T> { 0 });

impl<'w, T> Iterator for RemovedIter<'w, T> {
    type Item = (Entity, &'w T);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(entity, value)| (*entity, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// From the last removed value to the first one.
impl<T> DoubleEndedIterator for RemovedIter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(entity, value)| (*entity, value))
    }
}

into_iter!(['w, T] &mut Removed<'w, T>: (Entity, &'w T), RemovedIter<'w, T>, |this| this.iter());

debug!([T] Removed<'_, T>, |this, f| {
    f.debug_struct("Removed").field("len", &this.len()).finish_non_exhaustive()
});
debug!([T] RemovedIter<'_, T>, |_, f| f.debug_struct("RemovedIter").finish_non_exhaustive());
