//! [`ReadQueue`]: values that several readers read, each at its own pace, such as the events of a
//! type or the removed values of a component.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::base::place::{Place, SystemNames};
use crate::base::reader_stats::ReaderStats;

/// Values in the order in which they came, up to the last one that some reader has not seen.
#[derive(Clone)]
pub(crate) struct ReadQueue<T> {
    pub(crate) values: VecDeque<T>,
    /// The number of values before the first one in the queue.
    pub(crate) base: u64,
    pub(crate) readers: Readers,
    /// The number of values that were dropped because of a bound before every reader had seen them.
    pub(crate) lost: u64,
    /// Whether a loss of values was reported.
    pub(crate) warned: bool,
}

impl<T> ReadQueue<T> {
    /// An empty queue without readers.
    pub(crate) const fn new() -> Self {
        Self { values: VecDeque::new(), base: 0, readers: Readers::new(), lost: 0, warned: false }
    }

    /// Adds a reader of the values that come from now on, and returns its number.
    pub(crate) fn subscribe(&mut self, place: Place) -> usize {
        let end = self.end();
        self.readers.subscribe(place, end)
    }

    /// The number of values that have come so far, the dropped ones included.
    pub(crate) fn end(&self) -> u64 {
        self.base + self.values.len() as u64
    }

    /// The number of values in the queue that are among the first `seen` values that came.
    pub(crate) fn position(&self, seen: u64) -> usize {
        seen.saturating_sub(self.base).min(self.values.len() as u64) as usize
    }

    /// The number of values after the first `seen` that are not in the queue any more.
    pub(crate) fn missed(&self, seen: u64) -> u64 {
        self.base.saturating_sub(seen)
    }

    /// For each reader its number, its place, the number of values in the queue that it has not
    /// seen, and the number of values that it has missed.
    pub(crate) fn progress(&self) -> impl Iterator<Item = (usize, Place, usize, u64)> {
        self.readers.iter().map(|(number, cursor)| {
            let unread = self.values.len() - self.position(cursor.seen());
            (number, cursor.place(), unread, self.missed(cursor.seen()))
        })
    }

    /// The statistics of the readers; `names` returns the names of the schedule and of the system at
    /// a place.
    pub(crate) fn stats(&self, names: SystemNames) -> Vec<ReaderStats> {
        let readers = self.progress().map(|(number, place, unread, missed)| {
            let ((schedule, system), read) = (names(place), self.end() - unread as u64);
            ReaderStats { schedule, system, unread, missed, read, number }
        });
        readers.collect()
    }

    /// Drops the first `count` values: all of them, also if the drop of one panics. They are
    /// counted in `base` first, so that the queue is right after a panic.
    pub(crate) fn free(&mut self, count: usize) {
        self.base += count as u64;
        drop(self.values.drain(..count));
    }

    /// Becomes a copy of another queue, and reuses memory. A loss is reported once, also if this
    /// queue goes back to an earlier state.
    pub(crate) fn copy_from(&mut self, source: &Self, copy: impl Fn(&T) -> T) {
        let Self { values, base, readers, lost, warned } = source;
        // empty until all values are copied, since `copy` may panic: the readers then go on with
        // the values that come next
        self.free(self.values.len());
        let mut copies = core::mem::take(&mut self.values);
        copies.extend(values.iter().map(copy));
        self.values = copies;
        (self.base, self.lost) = (*base, *lost);
        self.warned |= warned;
        self.readers.clone_from(readers);
    }
}

/// The values that a system has got for one run: their number that were lost, and where its reader
/// is when it has seen them.
#[derive(Clone, Copy)]
pub(crate) struct LogReading<'w> {
    pub(crate) missed: u64,
    cursor: Option<(&'w ReaderCursor, u64)>,
}

impl<'w> LogReading<'w> {
    /// Of values that are in no queue.
    pub(crate) const NONE: Self = Self { missed: 0, cursor: None };

    /// Of a reader of a queue in which `missed` of its values are lost; `None` reads without
    /// being a reader.
    pub(crate) fn new<T>(queue: &ReadQueue<T>, cursor: Option<&'w ReaderCursor>, missed: u64) -> Self {
        Self::until(queue.end(), cursor, missed)
    }

    /// Of a reader whose values end at `end`, `missed` of which are lost.
    pub(crate) fn until(end: u64, cursor: Option<&'w ReaderCursor>, missed: u64) -> Self {
        Self { missed, cursor: cursor.map(|cursor| (cursor, end)) }
    }

    /// Notes that the reader has seen its values.
    pub(crate) fn end(&mut self) {
        self.missed = 0;
        if let Some((cursor, end)) = self.cursor {
            cursor.advance(end);
        }
    }
}

/// The readers of a queue, by number; `None` for a reader that has left.
#[derive(Clone, Default)]
pub(crate) struct Readers(pub(super) Vec<Option<ReaderCursor>>);

/// The position of a reader in a log.
#[derive(Debug)]
pub(crate) struct ReaderCursor {
    /// The number of values that the reader has seen or missed.
    seen: AtomicU64,
    place: Place,
}

impl ReaderCursor {
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) fn advance(&self, to: u64) {
        self.seen.store(to, Ordering::Relaxed);
    }

    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) fn seen(&self) -> u64 {
        self.seen.load(Ordering::Relaxed)
    }

    /// The place of the reader's system.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) fn place(&self) -> Place {
        self.place
    }
}

impl Clone for ReaderCursor {
    fn clone(&self) -> Self {
        let Self { seen: _, place } = self;
        Self { seen: AtomicU64::new(self.seen()), place: *place }
    }
}

impl Readers {
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a reader that has seen the first `end` values, and returns its number.
    pub(crate) fn subscribe(&mut self, place: Place, end: u64) -> usize {
        let cursor = Some(ReaderCursor { seen: AtomicU64::new(end), place });
        match self.0.iter().position(Option::is_none) {
            Some(left) => {
                self.0[left] = cursor;
                left
            }
            None => {
                self.0.push(cursor);
                self.0.len() - 1
            }
        }
    }

    /// Removes a reader: no values are kept for it any more.
    pub(crate) fn unsubscribe(&mut self, reader: usize) {
        if let Some(cursor) = self.0.get_mut(reader) {
            *cursor = None;
        }
    }

    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) fn cursor(&self, reader: usize) -> Option<&ReaderCursor> {
        self.0.get(reader)?.as_ref()
    }

    /// The readers with their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &ReaderCursor)> {
        self.0.iter().enumerate().filter_map(|(reader, cursor)| Some((reader, cursor.as_ref()?)))
    }

    /// The reader that has seen the fewest values.
    pub(crate) fn slowest(&self) -> Option<&ReaderCursor> {
        self.0.iter().flatten().min_by_key(|cursor| cursor.seen())
    }

    /// Whether there was ever a reader.
    pub(crate) fn existed(&self) -> bool {
        !self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place::Written { schedule: 0, place: 0 };

    #[test]
    fn a_reader_that_leaves_holds_nothing_back_and_its_number_is_used_again() {
        let mut readers = Readers::new();
        assert!(!readers.existed());
        let (slow, fast) = (readers.subscribe(PLACE, 3), readers.subscribe(PLACE, 7));
        assert_eq!(readers.slowest().map(ReaderCursor::seen), Some(3));
        readers.unsubscribe(slow);
        assert_eq!(readers.slowest().map(ReaderCursor::seen), Some(7));
        assert!(readers.cursor(slow).is_none());
        assert_eq!(readers.iter().map(|(reader, _)| reader).collect::<Vec<_>>(), [fast]);
        assert_eq!(readers.subscribe(PLACE, 9), slow);
        assert_eq!(readers.cursor(slow).map(ReaderCursor::seen), Some(9));
        readers.unsubscribe(slow);
        readers.unsubscribe(fast);
        assert!(readers.existed() && readers.slowest().is_none());
    }
}
