//! The values that were taken away, for those who react to it.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::entity::Entity;
#[cfg(feature = "serde")]
use crate::entity::image::LATEST;
#[cfg(feature = "serde")]
use crate::save::image::{KeptValues, Keys, LogImage, ReaderImage, readers_of};
use crate::schedule::Place;

/// The removed values of a column that some reader in a schedule has not read, oldest first.
///
/// There is one only where a schedule has a reader.
pub(crate) struct Removals<T> {
    queue: VecDeque<(Entity, T)>,
    /// The number of values before the first one in the queue.
    base: u64,
    /// For each place with a reader, the number of values that it has seen or missed.
    cursors: Vec<AtomicU64>,
    /// Where they stand.
    places: Vec<Place>,
    /// How many are kept.
    most: usize,
    copy: fn(&T) -> T,
}

/// The cursor of a reader that has left: it has seen all that will ever be.
const LEFT: u64 = u64::MAX;

impl<T> Removals<T> {
    pub(crate) const fn new(most: usize, copy: fn(&T) -> T) -> Self {
        Self { queue: VecDeque::new(), base: 0, cursors: Vec::new(), places: Vec::new(), most, copy }
    }

    /// What makes a copy of a value for the log.
    pub(crate) fn copy(&self) -> fn(&T) -> T {
        self.copy
    }

    /// A new reader, which sees what is removed from now on.
    pub(crate) fn subscribe(&mut self, place: Place) -> usize {
        let end = self.end();
        let left = self.cursors.iter_mut().position(|cursor| *cursor.get_mut() == LEFT);
        match left {
            Some(reader) => {
                *self.cursors[reader].get_mut() = end;
                self.places[reader] = place;
            }
            None => {
                self.cursors.push(AtomicU64::new(end));
                self.places.push(place);
            }
        }
        left.unwrap_or(self.cursors.len() - 1)
    }

    /// A reader leaves: nothing is kept for it any more.
    pub(crate) fn unsubscribe(&mut self, reader: usize) {
        if let Some(cursor) = self.cursors.get_mut(reader) {
            *cursor.get_mut() = LEFT;
        }
    }

    pub(crate) fn cursor(&self, reader: usize) -> Option<&AtomicU64> {
        self.cursors.get(reader)
    }

    /// The number of values that were ever removed.
    pub(crate) fn end(&self) -> u64 {
        self.base + self.queue.len() as u64
    }

    /// What comes after the first `seen` values, as far as it is kept, and how many of it are not.
    pub(crate) fn after(&self, seen: u64) -> ([&[(Entity, T)]; 2], u64) {
        let skip = seen.saturating_sub(self.base).min(self.queue.len() as u64) as usize;
        let (front, back) = self.queue.as_slices();
        let in_front = skip.min(front.len());
        ([&front[in_front..], &back[skip - in_front..]], self.base.saturating_sub(seen))
    }

    /// Adds a value, and drops the oldest ones if there are too many.
    pub(crate) fn push(&mut self, entity: Entity, value: T) {
        self.append(entity, value);
        self.bound();
    }

    /// Adds a value.
    pub(crate) fn append(&mut self, entity: Entity, value: T) {
        self.queue.push_back((entity, value));
    }

    /// Drops the oldest values if there are too many.
    pub(crate) fn bound(&mut self) {
        while self.queue.len() > self.most {
            self.free_one();
        }
    }

    /// Frees what every reader has seen.
    pub(crate) fn trim(&mut self) {
        let seen = self.cursors.iter().map(|cursor| cursor.load(Ordering::Relaxed)).min();
        while seen.is_some_and(|seen| seen > self.base) && !self.queue.is_empty() {
            self.free_one();
        }
    }

    /// Drops the oldest value. It is counted out before, in case that its drop panics.
    fn free_one(&mut self) {
        let oldest = self.queue.pop_front();
        self.base += u64::from(oldest.is_some());
    }
}

/// How removed values are saved and loaded.
#[cfg(feature = "serde")]
impl<T> Removals<T> {
    /// What is saved.
    pub(crate) fn image(&self, keys: &Keys) -> LogImage<alloc::vec::Vec<&(Entity, T)>> {
        // how many are kept, and how they are copied, is said by the component's type
        let Self { queue, base, cursors, places, most: _, copy: _ } = self;
        let before = (*base).min(LATEST);
        let readers = cursors.iter().zip(places).filter_map(|(cursor, &place)| {
            let seen = Some(cursor.load(Ordering::Relaxed)).filter(|&seen| seen != LEFT)?.min(self.end());
            Some(ReaderImage { at: keys.of(place)?.into(), seen: seen.saturating_sub(base - before) })
        });
        LogImage { before, readers: readers.collect(), kept: queue.iter().collect() }
    }

    /// Takes on what a file says.
    pub(crate) fn restore(
        &mut self,
        image: LogImage<KeptValues<(Entity, T)>>,
        keys: &Keys,
    ) -> Result<(), &'static str> {
        let LogImage { before, readers, kept: KeptValues(kept) } = image;
        if before > LATEST {
            return Err("more values were removed than there can be");
        }
        (self.base, self.queue) = (before, kept.into());
        let end = self.end();
        let seen = readers_of(&readers, end)?;
        let mut taken = alloc::vec![false; seen.len()];
        for (cursor, &place) in self.cursors.iter_mut().zip(&self.places) {
            let at = keys.of(place);
            let found = (0..seen.len()).find(|&i| !taken[i] && Some(readers[i].at.as_str()) == at);
            *cursor.get_mut() = found.map_or(end, |i| {
                taken[i] = true;
                seen[i]
            });
        }
        self.bound();
        Ok(())
    }
}

impl<T: Clone> Clone for Removals<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.most, self.copy);
        copy.clone_from(self);
        copy
    }

    /// Reuses memory. Readers come before the values, whose `Clone` may panic: each cursor has its place at any time.
    fn clone_from(&mut self, source: &Self) {
        let Self { queue, base, cursors, places, most, copy } = source;
        (self.base, self.most, self.copy) = (*base, *most, *copy);
        self.places.clone_from(places);
        self.cursors.clear();
        self.cursors.extend(cursors.iter().map(|cursor| AtomicU64::new(cursor.load(Ordering::Relaxed))));
        self.queue.clone_from(queue);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place::Written { schedule: 0, place: 0 };

    fn entity(slot: u64) -> Entity {
        Entity::from_bits(1 << 32 | slot).unwrap()
    }

    fn read(removals: &Removals<u64>, reader: usize) -> (Vec<u64>, u64) {
        let cursor = removals.cursor(reader).unwrap();
        let (unread, missed) = removals.after(cursor.load(Ordering::Relaxed));
        cursor.store(removals.end(), Ordering::Relaxed);
        (unread.into_iter().flatten().map(|(_, value)| *value).collect(), missed)
    }

    #[test]
    fn every_reader_sees_every_value_once() {
        let mut removals = Removals::new(usize::MAX, |value: &u64| *value);
        let first = removals.subscribe(PLACE);
        removals.push(entity(0), 1);
        let second = removals.subscribe(PLACE);
        removals.push(entity(1), 2);
        assert_eq!(read(&removals, first), (alloc::vec![1, 2], 0));
        removals.trim();
        assert_eq!(removals.queue.len(), 1);
        removals.push(entity(1), 3);
        assert_eq!(read(&removals, second), (alloc::vec![2, 3], 0));
        assert_eq!(read(&removals, first), (alloc::vec![3], 0));
        removals.trim();
        assert!(removals.queue.is_empty());
    }

    #[test]
    fn what_is_too_much_is_dropped_and_counted() {
        let mut removals = Removals::new(3, |value: &u64| *value);
        let reader = removals.subscribe(PLACE);
        for value in 0..10 {
            removals.push(entity(value), value);
        }
        assert_eq!(read(&removals, reader), (alloc::vec![7, 8, 9], 7));
        assert_eq!(read(&removals, reader), (alloc::vec![], 0));
    }
}
