//! The pages of values that a column shares with snapshots.
//!
//! A snapshot of a world is a world whose columns are *saved*: in place of pages of their own they have copies of pages, which
//! never change and are shared. The column of a world has for each page the copy with which the page last agreed, and a flag that
//! says whether a value of the page may have been changed since; the stamps of a tracked component have a flag of their own.
//! Changes of bits set no flag. Bits are compared instead: they take an eighth of a byte for each slot, and code that changes them
//! need not know about snapshots.
//!
//! A new snapshot copies the pages that no longer agree with a copy, and shares the copies of the others. A rollback copies the
//! pages that do not agree with the snapshot's copy.
#![expect(unsafe_code, reason = "the bits say which slots of a page are initialised")]

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::cold_fields::ErasedBox;
use super::column::Column;
use crate::base::mask::{Bits, Runs};

/// Copies of pages of values. In a column of a world, the copies with which its pages last agreed; in a saved column, its whole
/// content.
pub(crate) struct SnapshotPages<T> {
    /// By page; `None` if the page has no values or agrees with no copy.
    pages: Vec<Option<Arc<ValuePage<T>>>>,
    /// Whether the column is saved: then it has no pages beside these copies.
    saved: bool,
}

/// A copy of the values of a page, without gaps, and the bits of their slots.
struct ValuePage<T> {
    masks: Box<[u64]>,
    values: Vec<T>,
}

/// The values of the slots of a word of a saved column, without gaps, and their bits.
#[derive(Debug)]
pub struct SavedWord<'s, T> {
    pub(crate) mask: u64,
    values: &'s [T],
}

impl<'s, T> SavedWord<'s, T> {
    /// The value of the slot with this bit.
    pub(crate) fn get(&self, bit: usize) -> Option<&'s T> {
        let below = (self.mask & ((1 << bit) - 1)).count_ones() as usize;
        (self.mask >> bit & 1 == 1).then(|| &self.values[below])
    }
}

impl<T> ValuePage<T> {
    fn bytes(&self) -> usize {
        size_of_val(&*self.masks) + self.values.capacity() * size_of::<T>()
    }
}

impl<T> Default for SnapshotPages<T> {
    fn default() -> Self {
        Self { pages: Vec::new(), saved: false }
    }
}

impl<T> SnapshotPages<T> {
    pub(super) fn is_saved(column: &Column<T>) -> bool {
        column.cold().snapshot_pages.as_ref().is_some_and(|pages| pages.saved)
    }

    fn copy(&self, page: usize) -> Option<&Arc<ValuePage<T>>> {
        self.pages.get(page)?.as_ref()
    }
}

impl<T> Column<T> {
    /// A saved column without values.
    pub(super) fn saved() -> Self {
        let mut column = Self::new();
        column.cold_mut().snapshot_pages = ErasedBox::some(SnapshotPages { pages: Vec::new(), saved: true });
        column
    }

    /// The value of `slot` in a saved column.
    pub(crate) fn saved_value(&self, slot: u32) -> Option<&T> {
        self.saved_word(slot as usize / 64).get(slot as usize % 64)
    }

    /// The copy of the page of a word in a saved column, and the word's index in it.
    fn copy_with(&self, word: usize) -> Option<(&ValuePage<T>, usize)> {
        Some((self.cold().snapshot_pages.as_ref()?.copy(word / Self::WORDS)?, word % Self::WORDS))
    }

    /// The bits of a word of a saved column.
    pub(crate) fn saved_mask(&self, word: usize) -> u64 {
        self.copy_with(word).and_then(|(copy, word)| copy.masks.get(word).copied()).unwrap_or(0)
    }

    /// The values of a word of a saved column. Counts the bits of the words before it in its page.
    pub(crate) fn saved_word(&self, word: usize) -> SavedWord<'_, T> {
        let values = self.copy_with(word).and_then(|(copy, word)| {
            let mask = *copy.masks.get(word).filter(|&&mask| mask != 0)?;
            let before: usize = copy.masks[..word].iter().map(|mask| mask.count_ones() as usize).sum();
            Some(SavedWord { mask, values: copy.values.get(before..before + mask.count_ones() as usize)? })
        });
        values.unwrap_or(SavedWord { mask: 0, values: &[] })
    }

    /// The values of a saved column with their slots, in the order of the slots.
    pub(crate) fn saved_values(&self) -> impl Iterator<Item = (usize, &T)> {
        let pages = self.cold().snapshot_pages.as_ref().map_or(&[][..], |copies| &copies.pages);
        let pages = pages.iter().enumerate().filter_map(|(page, copy)| Some((page, copy.as_ref()?)));
        pages.flat_map(|(page, copy)| {
            let words = copy.masks.iter().zip(page * Self::WORDS..);
            let slots = words.flat_map(|(&mask, word)| Bits(mask).map(move |bit| word * 64 + bit));
            slots.zip(&copy.values)
        })
    }

    /// The bits and the values, without gaps, of a page of a saved column; `None` if the page has no values.
    pub(crate) fn saved_page(&self, page: usize) -> Option<(&[u64], &[T])> {
        let copy = self.cold().snapshot_pages.as_ref()?.copy(page)?;
        Some((&copy.masks, &copy.values))
    }

    /// Whether a page is known to be equal to that of a saved column.
    pub(crate) fn agrees_with(&self, saved: &Self, page: usize) -> bool {
        let theirs = saved.cold().snapshot_pages.as_ref().and_then(|saved| saved.copy(page));
        self.agreed(page).zip(theirs).is_some_and(|(ours, theirs)| Arc::ptr_eq(ours, theirs))
    }

    /// The column for a new snapshot, filled by `clone_from`, which must be that of [`Clone`]. The pages of this column agree with
    /// the snapshot's copies from now on.
    pub(crate) fn save(&mut self, clone_from: fn(&mut Self, &Self)) -> Self {
        let mut saved = Self::saved();
        clone_from(&mut saved, self);
        self.agree(&saved);
        saved
    }

    /// The copy with which a page is known to agree.
    fn agreed(&self, page: usize) -> Option<&Arc<ValuePage<T>>> {
        let copy = self.cold().snapshot_pages.as_ref()?.copy(page)?;
        let touched = |touched: &core::sync::atomic::AtomicBool| {
            touched.load(core::sync::atomic::Ordering::Relaxed) // the threads that set it have ended their systems
        };
        let words = page * Self::WORDS..(page + 1) * Self::WORDS;
        let changed = Self::SHAPE.sized()
            && (self.table.touched.get(page).is_none_or(touched)
                || self.stamps.as_ref().is_some_and(|stamps| stamps.is_touched(words)));
        (!changed && *copy.masks == *self.page_masks(page)).then_some(copy)
    }

    /// Notes that all pages agree with those of a saved column.
    fn agree(&mut self, saved: &Self) {
        let Some(theirs) = saved.cold().snapshot_pages.as_ref() else { return };
        let (mut more, mut less, mut old) = (0, 0, Vec::new());
        let ours = self.cold_mut().snapshot_pages.get_or_insert_with(SnapshotPages::default);
        let len = ours.pages.len().max(theirs.pages.len());
        ours.pages.resize_with(len, || None);
        for (page, mine) in ours.pages.iter_mut().enumerate() {
            let copy = theirs.copy(page);
            if mine.as_ref().map(Arc::as_ptr) != copy.map(Arc::as_ptr) {
                let bytes = |copy: &Arc<ValuePage<T>>| copy.bytes();
                more += copy.map_or(0, bytes);
                less += mine.as_ref().map_or(0, bytes);
                old.push(core::mem::replace(mine, copy.cloned()));
            }
        }
        self.table.copied = (self.table.copied + more).saturating_sub(less); // saturating, because `saved` may be a column of another world
        self.table.touched.iter_mut().for_each(|touched| *touched.get_mut() = false);
        if let (Some(stamps), Some(saved)) = (&mut self.stamps, &saved.stamps) {
            stamps.agree(saved);
        }
        drop(old); // last, because the drop of a value may panic
    }

    /// Makes a saved column share the pages of another one.
    pub(super) fn share(&mut self, source: &Self)
    where
        T: Clone,
    {
        self.take_extras(source);
        self.stamps = source.stamps.as_ref().map(|stamps| Box::new(stamps.share()));
        if let (Some(ours), Some(theirs)) =
            (self.cold_mut().snapshot_pages.as_mut(), source.cold().snapshot_pages.as_ref())
        {
            ours.pages.clone_from(&theirs.pages);
        }
    }
}

impl<T: Clone> Column<T> {
    /// Gives a saved column the content of a world's column `source`.
    pub(super) fn capture(&mut self, source: &Self) {
        let pages = (0..source.page_count()).map(|page| {
            let masks = source.page_masks(page);
            if masks.iter().all(|&mask| mask == 0) {
                return None;
            }
            Some(source.agreed(page).map_or_else(|| Arc::new(source.copy_of(page)), Arc::clone))
        });
        let pages = pages.collect();
        self.take_extras(source);
        self.stamps = source.stamps.as_ref().map(|stamps| Box::new(stamps.capture()));
        self.cold_mut().snapshot_pages = ErasedBox::some(SnapshotPages { pages, saved: true });
    }

    fn copy_of(&self, page: usize) -> ValuePage<T> {
        let masks: Box<[u64]> = self.page_masks(page).into();
        let mut values = Vec::with_capacity(masks.iter().map(|mask| mask.count_ones() as usize).sum());
        for (from, len) in Runs::new(&masks) {
            // SAFETY: the runs are those of the column's own bits, so all their slots have a value.
            values.extend_from_slice(unsafe { self.run(page, from, len) });
        }
        ValuePage { masks, values }
    }

    /// Gives a world's column the content of a saved column.
    pub(super) fn restore(&mut self, saved: &Self) {
        self.take_extras(saved);
        let theirs = saved.cold().snapshot_pages.as_ref().map_or(&[][..], |theirs| &theirs.pages);
        for page in 0..self.page_count().max(theirs.len()) {
            let Some(copy) = theirs.get(page).and_then(Option::as_ref) else {
                self.empty(page);
                continue;
            };
            if self.agreed(page).is_some_and(|agreed| Arc::ptr_eq(agreed, copy)) {
                continue;
            }
            let mut rest = &*copy.values;
            self.assign(page, &copy.masks, |_, len| {
                let (run, after) = rest.split_at(len);
                rest = after;
                run
            });
        }
        // stamps come after the values, because `agreed` asks them which values were changed
        match (&mut self.stamps, &saved.stamps) {
            (Some(stamps), Some(saved)) => stamps.restore(saved),
            (stamps, Some(saved)) => stamps.insert(Box::default()).restore(saved),
            (stamps, None) => *stamps = None,
        }
        self.agree(saved);
        self.table.narrow();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::tick::Ticks;

    /// The pages that two saved columns share.
    fn shared<T>(one: &Column<T>, two: &Column<T>) -> Vec<usize> {
        let pages = |column: &Column<T>| {
            let pages = column.cold().snapshot_pages.as_ref().unwrap();
            pages.pages.iter().map(|page| page.as_ref().map(Arc::as_ptr)).collect::<Vec<_>>()
        };
        let (one, two) = (pages(one), pages(two));
        (0..one.len()).filter(|&page| one[page].is_some() && one[page] == two[page]).collect()
    }

    #[test]
    fn snapshots_share_the_pages_in_which_nothing_was_changed() {
        let slots = Column::<u64>::SLOTS as u32;
        let mut column = Column::<u64>::new();
        for slot in 0..4 * slots {
            column.insert_new(slot, 1);
            column.stamp(slot, 3, true);
        }
        let first = column.save(Clone::clone_from);
        *column.get_tracked(2 * slots + 5, Ticks { this_run: 9, last_run: 8 }).unwrap() = 7;
        let second = column.save(Clone::clone_from);
        assert_eq!(second.saved_value(2 * slots + 5), Some(&7));
        assert_eq!(first.saved_value(2 * slots + 5), Some(&1));
        assert_eq!(shared(&first, &second), [0, 1, 3]);
        column.remove(7);
        *column.get_mut(3 * slots).unwrap() = 5;
        let third = column.save(Clone::clone_from);
        assert_eq!(shared(&second, &third), [1, 2]);
        column.clone_from(&first);
        assert_eq!(shared(&first, &column.save(Clone::clone_from)), [0, 1, 2, 3]);
        assert!((0..4 * slots).all(|slot| column.get(slot) == Some(&1)));
        let changed =
            |slot| column.stamps().unwrap().word(slot as usize / 64).unwrap().changed(slot as usize % 64);
        assert_eq!((changed(2 * slots + 5), changed(2 * slots + 6)), (3, 3));
    }
}
