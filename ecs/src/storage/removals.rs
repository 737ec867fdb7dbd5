//! The log of a component's removed values, and the progress of its readers.

use alloc::vec::Vec;

use super::cold_fields::{ColdField, ErasedBox};
use super::readers::{ReadQueue, ReaderCursor};
use crate::base::place::Place;
use crate::entity::Entity;

/// The log of a column's removed values, oldest first, up to the last value that some reader in a
/// schedule has not read.
///
/// A column has a log only if a schedule has a reader.
pub(crate) struct Removals<T> {
    pub(crate) log: ReadQueue<(Entity, T)>,
    /// The values that left the queue because of the bound and are not dropped yet: their `Drop`
    /// may panic, and the change that removed another value has to be complete before.
    pub(super) expelled: Vec<(Entity, T)>,
    /// The bound: the most values that are kept, at least 1, `usize::MAX` without a bound; or
    /// [`AFTER_RUN`].
    pub(super) most: usize,
    pub(super) copy: fn(&T) -> T,
    /// The slots that got a value in the current flush.
    pub(super) added: FlushAddedSlots,
}

/// The slots that got a value in the current flush and had none before. A value that is removed
/// from them in the same flush was never visible to a system, and is not logged.
pub(super) struct FlushAddedSlots {
    /// Whether a flush is running.
    active: bool,
    /// One bit for each slot.
    bits: Vec<u64>,
    /// The words of `bits` that may have bits set.
    words: Vec<u32>,
}

impl FlushAddedSlots {
    const NONE: Self = Self { active: false, bits: Vec::new(), words: Vec::new() };

    fn insert(&mut self, slot: u32) {
        let (word, bit) = (slot as usize / 64, slot % 64);
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        if self.bits[word] == 0 {
            self.words.push(word as u32);
        }
        self.bits[word] |= 1 << bit;
    }

    /// Removes a slot. Returns whether it was in the set.
    #[cfg_attr(not(debug_assertions), inline)]
    fn take(&mut self, slot: u32) -> bool {
        let Some(word) = self.bits.get_mut(slot as usize / 64) else { return false };
        let before = *word;
        *word &= !(1 << (slot % 64));
        *word != before
    }

    fn clear(&mut self) {
        for word in self.words.drain(..) {
            self.bits[word as usize] = 0;
        }
    }
}

/// The bound of a component that declares none: when a run of a schedule ends, the oldest values
/// beyond [`KEPT`] are dropped.
pub(crate) const AFTER_RUN: usize = 0;

/// The number of values that are kept if the component declares no bound: greater than the number
/// of entities in most worlds, so that despawning all entities loses nothing.
const KEPT: usize = 1 << 20;

/// The slowest reader of a log that dropped values which this reader had not read.
pub(crate) struct LateReader {
    pub(crate) place: Place,
    pub(crate) unread: u64,
    pub(crate) lost: u64,
}

impl<T> Removals<T> {
    pub(crate) const fn new(most: usize, copy: fn(&T) -> T) -> Self {
        Self { log: ReadQueue::new(), expelled: Vec::new(), most, copy, added: FlushAddedSlots::NONE }
    }

    /// Notes that a flush begins or ends.
    pub(crate) fn set_flushing(&mut self, on: bool) {
        self.added.clear();
        self.added.active = on;
    }

    /// Notes that a slot without a value has got one.
    pub(crate) fn note_added(&mut self, slot: u32) {
        if self.added.active {
            self.added.insert(slot);
        }
    }

    /// Notes that the value of a slot is removed. Returns whether it was added in the same flush:
    /// then it is not logged.
    pub(crate) fn was_added(&mut self, slot: u32) -> bool {
        self.added.active && self.added.take(slot)
    }

    /// The function that copies a value for the log.
    pub(crate) fn copy(&self) -> fn(&T) -> T {
        self.copy
    }

    /// The kept values after the first `seen` values, and the number of values after them that are
    /// not kept.
    pub(crate) fn after(&self, seen: u64) -> ([&[(Entity, T)]; 2], u64) {
        let skip = self.log.position(seen);
        let (front, back) = self.log.values.as_slices();
        let in_front = skip.min(front.len());
        ([&front[in_front..], &back[skip - in_front..]], self.log.missed(seen))
    }

    /// Adds a value. If there are too many, the oldest leave the log, to be dropped by
    /// [`drop_expelled`](Self::drop_expelled). Calls no code of users.
    pub(crate) fn push(&mut self, entity: Entity, value: T) {
        self.append(entity, value);
        match self.most {
            // values beyond the bound are dropped when a run of a schedule ends, and here in a
            // world that runs no schedule
            AFTER_RUN if self.log.values.len() / 2 > KEPT => self.expel_beyond(KEPT),
            AFTER_RUN => {}
            most => self.expel_beyond(most),
        }
    }

    /// Moves the oldest values beyond `most` to those that are dropped later.
    fn expel_beyond(&mut self, most: usize) {
        let excess = self.count_excess(most);
        self.log.base += excess as u64;
        self.expelled.extend(self.log.values.drain(..excess));
    }

    /// Drops the values that left the log because of the bound.
    #[inline]
    pub(crate) fn drop_expelled(&mut self) {
        if !self.expelled.is_empty() {
            self.expelled.clear();
            self.expelled.shrink_to(64);
        }
    }

    /// Adds a value without regard to the bound.
    pub(crate) fn append(&mut self, entity: Entity, value: T) {
        self.log.values.push_back((entity, value));
    }

    /// Drops the oldest values beyond the bound.
    pub(super) fn bound(&mut self) {
        self.drop_beyond(self.bound_after_run());
    }

    /// The most values that are kept when a run of a schedule ends.
    fn bound_after_run(&self) -> usize {
        if self.most == AFTER_RUN { KEPT } else { self.most }
    }

    /// Drops the oldest values beyond `most`.
    fn drop_beyond(&mut self, most: usize) {
        self.drop_oldest(0, most);
    }

    /// Drops the oldest values: the first `read`, which every reader has read, and those beyond
    /// `most`. In one step, so that a panic of a drop leaves none of either.
    fn drop_oldest(&mut self, read: usize, most: usize) {
        let excess = self.count_excess(most);
        if excess.max(read) > 0 {
            self.log.free(excess.max(read));
        }
    }

    /// The number of values beyond `most`. Those of them that a reader has not read count as lost.
    fn count_excess(&mut self, most: usize) -> usize {
        let excess = self.log.values.len().saturating_sub(most);
        if excess > 0 {
            let seen = self.log.readers.slowest().map_or(u64::MAX, ReaderCursor::seen);
            self.log.lost += (self.log.base + excess as u64).saturating_sub(seen.max(self.log.base));
        }
        excess
    }

    /// Frees the values that every reader has read, and those beyond the bound. At the first loss
    /// of a component that declares no bound, returns the slowest reader, so that the loss is
    /// reported.
    pub(crate) fn trim(&mut self) -> Option<LateReader> {
        self.drop_expelled();
        let read = if self.log.readers.existed() {
            self.log.position(self.log.readers.slowest().map_or(u64::MAX, ReaderCursor::seen))
        } else {
            0
        };
        self.drop_oldest(read, self.bound_after_run());
        if self.most != AFTER_RUN || self.log.lost == 0 || self.log.warned {
            return None;
        }
        self.log.warned = true;
        let (end, lost) = (self.log.end(), self.log.lost);
        let slowest = self.log.readers.slowest()?;
        Some(LateReader { place: slowest.place(), unread: end.saturating_sub(slowest.seen()), lost })
    }

    /// The most values that are kept; `None` without a bound.
    pub(crate) fn most(&self) -> Option<usize> {
        match self.most {
            AFTER_RUN => Some(KEPT),
            usize::MAX => None,
            most => Some(most),
        }
    }
}

impl<T: 'static> ColdField for Removals<T> {
    fn assign(field: &mut ErasedBox<Self>, source: &Self) {
        field.get_or_insert_with(|| Self::new(source.most, source.copy)).copy_from(source);
    }

    fn shrink(&mut self) {
        self.log.values.shrink_to_fit();
        self.expelled.shrink_to_fit();
        if !self.added.active {
            self.added = FlushAddedSlots::NONE;
        }
    }
}

impl<T> Removals<T> {
    /// Copies a log, and reuses memory.
    fn copy_from(&mut self, source: &Self) {
        // nothing is cloned during a change of the world, so that `expelled` and `added` are empty,
        // unless a panic has interrupted the change
        let Self { log, expelled: _, most, copy, added: _ } = source;
        self.log.copy_from(log, |(entity, value)| (*entity, copy(value)));
        (self.most, self.copy) = (*most, *copy);
        self.added.clear();
        self.added.active = false;
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    const PLACE: Place = Place::Written { schedule: 0, place: 0 };

    fn entity(slot: u64) -> Entity {
        Entity::from_bits(1 << 32 | slot).unwrap()
    }

    fn read(removals: &Removals<u64>, reader: usize) -> (Vec<u64>, u64) {
        let cursor = removals.log.readers.cursor(reader).unwrap();
        let (unread, missed) = removals.after(cursor.seen());
        cursor.advance(removals.log.end());
        (unread.into_iter().flatten().map(|(_, value)| *value).collect(), missed)
    }

    #[test]
    fn every_reader_sees_every_value_once() {
        let mut removals = Removals::new(usize::MAX, |value: &u64| *value);
        let first = removals.log.subscribe(PLACE);
        removals.push(entity(0), 1);
        let second = removals.log.subscribe(PLACE);
        removals.push(entity(1), 2);
        assert_eq!(read(&removals, first), (alloc::vec![1, 2], 0));
        removals.trim();
        assert_eq!(removals.log.values.len(), 1);
        removals.push(entity(1), 3);
        assert_eq!(read(&removals, second), (alloc::vec![2, 3], 0));
        assert_eq!(read(&removals, first), (alloc::vec![3], 0));
        removals.trim();
        assert!(removals.log.values.is_empty());
    }

    #[test]
    fn without_a_bound_a_late_reader_loses_values_when_a_run_ends_and_is_named_once() {
        let other = Place::Written { schedule: 0, place: 1 };
        let mut removals = Removals::new(AFTER_RUN, |value: &u64| *value);
        let (late, prompt) = (removals.log.subscribe(PLACE), removals.log.subscribe(other));
        for value in 0..KEPT as u64 + 3 {
            removals.push(entity(0), value);
        }
        assert_eq!(read(&removals, prompt).0.len(), KEPT + 3, "a reader in the same run gets all values");
        let reader = removals.trim().unwrap();
        assert_eq!((reader.place, reader.unread, reader.lost), (PLACE, KEPT as u64 + 3, 3));
        assert_eq!((removals.log.values.len(), removals.log.lost), (KEPT, 3));
        removals.push(entity(0), 0);
        assert!(removals.trim().is_none(), "the loss is reported once");
        let readers: Vec<_> = removals.log.progress().collect();
        assert_eq!(readers, [(0, PLACE, KEPT, 4), (1, other, 1, 0)]);
        let (unread, missed) = read(&removals, late);
        assert_eq!((unread.len(), unread[0], missed), (KEPT, 4, 4));
        for value in 0..3 * KEPT as u64 {
            removals.push(entity(0), value);
        }
        assert!(
            removals.log.values.len() <= 2 * KEPT + 1,
            "the log is bounded also without a run of a schedule"
        );
    }

    #[test]
    fn without_a_bound_twice_as_many_values_are_kept_between_runs() {
        let mut removals = Removals::new(AFTER_RUN, |&()| ());
        let reader = removals.log.subscribe(PLACE);
        (0..2 * KEPT + 1).for_each(|_| removals.push(entity(0), ()));
        assert_eq!((removals.log.values.len(), removals.log.lost), (2 * KEPT + 1, 0));
        removals.push(entity(0), ());
        assert_eq!((removals.log.values.len(), removals.log.lost), (KEPT, KEPT as u64 + 2));
        assert_eq!(removals.after(removals.log.readers.cursor(reader).unwrap().seen()).1, KEPT as u64 + 2);
    }

    /// A value whose drop panics if it is 1.
    #[derive(Clone)]
    struct Fused(u32);
    impl Drop for Fused {
        fn drop(&mut self) {
            assert!(self.0 != 1 || std::thread::panicking(), "one is dropped");
        }
    }

    #[test]
    fn a_drop_that_panics_leaves_no_more_values_than_the_bound() {
        for read in [0, 2, 8] {
            let mut removals = Removals::new(3, Fused::clone);
            let reader = removals.log.subscribe(PLACE);
            (0..10).for_each(|value| removals.append(entity(0), Fused(value)));
            removals.log.readers.cursor(reader).unwrap().advance(read);
            let trim = core::panic::AssertUnwindSafe(|| removals.trim().is_some());
            assert!(std::panic::catch_unwind(trim).is_err());
            assert_eq!((removals.log.values.len() as u64, removals.log.end()), ((10 - read).min(3), 10));
            assert_eq!(removals.log.lost, 7_u64.saturating_sub(read));
        }
    }

    #[test]
    fn a_loss_is_reported_once_also_after_a_rollback() {
        let mut removals = Removals::new(AFTER_RUN, |value: &u64| *value);
        removals.log.subscribe(PLACE);
        let copy_of = |removals: &Removals<u64>| {
            let mut copy = Removals::new(AFTER_RUN, |value: &u64| *value);
            copy.copy_from(removals);
            copy
        };
        let before = copy_of(&removals);
        (0..KEPT as u64 + 1).for_each(|value| removals.push(entity(0), value));
        assert!(removals.trim().is_some());
        let mut copy = copy_of(&removals);
        copy.push(entity(0), 0);
        assert!(copy.trim().is_none(), "the copy of a world that has reported the loss");
        removals.copy_from(&before);
        (0..KEPT as u64 + 1).for_each(|value| removals.push(entity(0), value));
        assert!(removals.trim().is_none(), "a world that was restored after it had reported the loss");
        let mut fresh = copy_of(&before);
        (0..KEPT as u64 + 1).for_each(|value| fresh.push(entity(0), value));
        assert!(fresh.trim().is_some(), "a world that has reported no loss");
    }
}
