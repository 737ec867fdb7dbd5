//! [`Readers`]: the readers of a log, such as a queue of events or the removed values of a
//! component.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::base::place::Place;

/// The readers of a log, by number; `None` for a reader that has left.
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
