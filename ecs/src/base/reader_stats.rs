//! Figures about events and removed values, and about how far their readers are.

use alloc::vec::Vec;

/// Statistics of the removed values of a component and their readers.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RemovedStats {
    /// Removed values that some reader has not read.
    pub kept: usize,
    /// The bound of the values that are kept; `None` for `#[component(removed = all)]`. See [`Removed`](crate::Removed).
    pub keep: Option<usize>,
    /// Values that the bound dropped before every reader had read them.
    pub lost: u64,
    /// The readers in schedules, in the order of the text.
    pub readers: Vec<ReaderStats>,
}

impl RemovedStats {
    pub(crate) fn new(keep: Option<usize>, lost: u64, readers: Vec<ReaderStats>) -> Self {
        let kept = readers.iter().map(|reader| reader.unread).max().unwrap_or(0);
        Self { kept, keep, lost, readers }
    }

    /// The reader that is furthest behind; of several the first one.
    pub fn slowest(&self) -> Option<&ReaderStats> {
        slowest(&self.readers)
    }
}

/// How the events of one type come and go.
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
/// let slowest = keys.slowest().unwrap(); // it never ran
/// assert_eq!((slowest.schedule, slowest.system, slowest.unread), ("tick", "listen", 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EventStats {
    /// The event.
    pub event: &'static str,
    /// Events that some reader has not read; if the type has none, those that were not drained.
    pub kept: usize,
    /// The bound of the events that are kept; `None` for `keep = all`. See [`Events`](crate::Events).
    pub keep: Option<usize>,
    /// Events that were ever sent, the lost ones too.
    pub sent: u64,
    /// Events that the bound dropped before every reader had read them.
    pub lost: u64,
    /// The readers in schedules, in the order in which they are written.
    pub readers: Vec<ReaderStats>,
}

impl EventStats {
    /// The reader that is furthest behind; of several the first one.
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
    /// The schedule.
    pub schedule: &'static str,
    /// The system or condition, as it is spelled there.
    pub system: &'static str,
    /// Kept events, or removed values, that the reader has not read.
    pub unread: usize,
    /// Events, or removed values, that the reader has missed since it last read: a bound dropped them, or
    /// [`World::drain`](crate::World::drain) took them.
    pub missed: u64,
    /// Events, or removed values, that the reader has read so far or has missed. Includes those from before its first read, and
    /// those that a bound dropped.
    pub read: u64,
    /// Which reader of the event it is, for as long as it reads.
    pub(crate) number: usize,
}
