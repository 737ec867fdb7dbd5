//! Statistics of events and removed values, and of the progress of their readers.

use alloc::vec::Vec;

/// Statistics of the removed values of a component and their readers.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RemovedStats {
    /// The number of removed values that some reader has not read.
    pub kept: usize,
    /// The bound of the values that are kept; `None` for `#[component(removed = all)]`. See
    /// [`Removed`](crate::Removed).
    pub keep: Option<usize>,
    /// The number of values that the bound dropped before every reader had read them.
    pub lost: u64,
    /// The readers in schedules, in the order in which the schedules list them.
    pub readers: Vec<ReaderStats>,
}

impl RemovedStats {
    pub(crate) fn new(keep: Option<usize>, lost: u64, readers: Vec<ReaderStats>) -> Self {
        let kept = readers.iter().map(|reader| reader.unread).max().unwrap_or(0);
        Self { kept, keep, lost, readers }
    }

    /// The reader that is furthest behind; the first one if several are.
    pub fn slowest(&self) -> Option<&ReaderStats> {
        slowest(&self.readers)
    }
}

/// Statistics of the events of one type and their readers.
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Event)] struct Key(char);
/// # #[system(Game)] fn listen(mut keys: EventReader<Key>) { keys.clear() }
/// # #[system(Game)] fn asleep() -> bool { true }
/// world! {
///     struct Game { events { Key(external, keep = 2) } }
///     schedule tick { listen if !asleep }
/// }
///
/// let mut game = Game::new();
/// for key in "abc".chars() {
///     game.send(Key(key));
///     game.tick();
/// }
/// let keys = &game.stats().events[0];
/// assert_eq!((keys.event, keys.sent, keys.kept, keys.lost), ("Key", 3, 2, 1));
/// let slowest = keys.slowest().unwrap(); // it has never run
/// assert_eq!((slowest.schedule, slowest.system, slowest.unread), ("tick", "listen", 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EventStats {
    /// The name of the event.
    pub event: &'static str,
    /// The number of events that some reader has not read; if the type has no readers, of events
    /// that were not drained.
    pub kept: usize,
    /// The bound of the events that are kept; `None` for `keep = all`. See
    /// [`Events`](crate::event::Events).
    pub keep: Option<usize>,
    /// The number of events that were sent so far, the lost ones included.
    pub sent: u64,
    /// The number of events that the bound dropped before every reader had read them.
    pub lost: u64,
    /// The readers in schedules, in the order in which the schedules list them.
    pub readers: Vec<ReaderStats>,
}

impl EventStats {
    /// The reader that is furthest behind; the first one if several are.
    pub fn slowest(&self) -> Option<&ReaderStats> {
        slowest(&self.readers)
    }
}

fn slowest(readers: &[ReaderStats]) -> Option<&ReaderStats> {
    readers.iter().rev().max_by_key(|reader| reader.unread)
}

/// The progress of one reader of an event, or of the removed values of a component.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReaderStats {
    /// The name of the schedule.
    pub schedule: &'static str,
    /// The name of the system or condition, as the schedule spells it.
    pub system: &'static str,
    /// The number of kept events, or removed values, that the reader has not read.
    pub unread: usize,
    /// The number of events, or removed values, that the reader has missed since it last read: a
    /// bound dropped them, or [`World::drain`](crate::World::drain) took them.
    pub missed: u64,
    /// The number of events, or removed values, that the reader has read or missed so far. Includes
    /// those from before its first read, and those that a bound dropped.
    pub read: u64,
    /// The number of the reader among the readers of its event or component, for as long as it
    /// reads.
    pub(crate) number: usize,
}
