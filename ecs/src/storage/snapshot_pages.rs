//! The pages of values that a column shares with snapshots.
//!
//! A snapshot of a world is a world whose columns are *saved*: in place of pages of their own they have [`SharedPages`]. The column of
//! a world has for each page a flag that says whether any value of the page may have been changed since it last agreed with its copy,
//! and for each eight slots one for [`Column::get_mut`], so that a delta compares few values; the stamps of a tracked component have
//! a flag of their own. Changes of bits set no flag. Bits are compared instead: they take an
//! eighth of a byte for each slot, and code that changes them need not know about snapshots.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::cold_fields::{ColdField, ErasedBox};
use super::column::Column;
use crate::base::mask::Bits;
use crate::base::shared_pages::SharedPages;

/// Copies of pages of values.
pub(crate) struct SnapshotPages<T> {
    pages: SharedPages<ValuePage<T>>,
    /// Whether the column is saved: then it has no pages beside these copies.
    saved: bool,
    /// [`Column::release_copies`]. Its address is here so that a column that never was in a snapshot has no code for it.
    release: fn(&mut Column<T>),
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
        Self { pages: SharedPages::new(), saved: false, release: Column::release_copies }
    }
}

impl<T> ColdField for SnapshotPages<T> {
    /// A copy of a column does not share these pages.
    fn assign(_: &mut ErasedBox<Self>, _: &Self) {}

    fn shrink(&mut self) {}
}

impl<T> SnapshotPages<T> {
    pub(super) fn is_saved(column: &Column<T>) -> bool {
        column.cold().snapshot_pages.as_ref().is_some_and(|pages| pages.saved)
    }
}

impl<T> Column<T> {
    /// A saved column without values, of a packed column or of another one.
    fn saved(packed: bool) -> Self {
        let mut column = Self::with_storage(packed);
        column.cold_mut().snapshot_pages =
            ErasedBox::some(SnapshotPages { saved: true, ..SnapshotPages::default() });
        column
    }

    fn copies(&self) -> Option<&SharedPages<ValuePage<T>>> {
        self.cold().snapshot_pages.as_ref().map(|copies| &copies.pages)
    }

    /// The value of `slot` in a saved column.
    pub(crate) fn saved_value(&self, slot: u32) -> Option<&T> {
        self.saved_word(slot as usize / 64).get(slot as usize % 64)
    }

    /// The copy of the page of a word in a saved column, and the word's index in it.
    fn copy_with(&self, word: usize) -> Option<(&ValuePage<T>, usize)> {
        Some((self.copies()?.get(word / Self::WORDS)?, word % Self::WORDS))
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
        self.copies().into_iter().flat_map(SharedPages::iter).flat_map(|(page, copy)| {
            let words = copy.masks.iter().zip(page * Self::WORDS..);
            let slots = words.flat_map(|(&mask, word)| Bits(mask).map(move |bit| word * 64 + bit));
            slots.zip(&copy.values)
        })
    }

    /// The bits and the values, without gaps, of a page of a saved column; `None` if the page has no values.
    pub(crate) fn saved_page(&self, page: usize) -> Option<(&[u64], &[T])> {
        let copy = self.copies()?.get(page)?;
        Some((&copy.masks, &copy.values))
    }

    /// Whether a page is known to be equal to that of a saved column.
    pub(crate) fn agrees_with(&self, saved: &Self, page: usize) -> bool {
        let Some((ours, theirs)) = self.copies().zip(saved.copies()) else { return false };
        theirs.get(page).is_some_and(|copy| ours.shares(theirs, page) && self.agrees(page, copy))
    }

    /// Whether a page shares the copy of a saved column, and only values of [`touched_slots`](Self::touched_slots) may differ from it.
    pub(crate) fn differs_in_slots(&self, saved: &Self, page: usize) -> bool {
        let Some((ours, theirs)) = self.copies().zip(saved.copies()) else { return false };
        theirs.get(page).is_some() && ours.shares(theirs, page) && !self.is_touched(page)
    }

    /// The slots of a word that were accessed by [`get_mut`](Self::get_mut) since the page last agreed with the copy that it shares, and
    /// their neighbours.
    pub(crate) fn touched_slots(&self, word: usize) -> u64 {
        let eighths = self.table.touched_slots.get(word).copied().unwrap_or(u8::MAX);
        // the lowest bit of byte `n` is bit `n` of the word's eighths
        let spread = (u64::from(eighths & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & 0x0001_0101_0101_0101)
            | u64::from(eighths >> 7) << 56;
        spread * 0xff
    }

    /// The column for a new snapshot, filled by `clone_from`, which must be that of [`Clone`]. The pages of this column agree with
    /// the snapshot's copies from now on.
    pub(crate) fn save(&mut self, clone_from: fn(&mut Self, &Self)) -> Self {
        let mut saved = Self::saved(self.table.is_packed());
        clone_from(&mut saved, self);
        self.agree(&saved);
        saved
    }

    /// Whether any values of a page may have been changed since the page last agreed with the copy that it shares, apart from those of
    /// [`touched_slots`](Self::touched_slots).
    fn is_touched(&self, page: usize) -> bool {
        let touched = |touched: &core::sync::atomic::AtomicBool| {
            touched.load(core::sync::atomic::Ordering::Relaxed) // the threads that set it have ended their systems
        };
        let words = page * Self::WORDS..(page + 1) * Self::WORDS;
        self.table.touched.get(page).is_none_or(touched)
            || self.stamps.as_ref().is_some_and(|stamps| stamps.is_touched(words))
    }

    /// Whether a page is known to agree still with the copy that it shares.
    fn agrees(&self, page: usize, copy: &ValuePage<T>) -> bool {
        let words = page * Self::WORDS..(page + 1) * Self::WORDS;
        let slots = || {
            let touched = self.table.touched_slots.get(words);
            // a loop that can end early would not be vectorized
            touched.is_none_or(|words| words.iter().fold(0, |all, touched| all | touched) != 0)
        };
        let changed = Self::SHAPE.sized() && (self.is_touched(page) || slots());
        !changed && *copy.masks == *self.page_masks(page)
    }

    /// Notes that all pages agree with those of a saved column.
    fn agree(&mut self, saved: &Self) {
        let Some(theirs) = saved.copies() else { return };
        let (mut more, mut less, mut old) = (0, 0, Vec::new());
        let ours = self.cold_mut().snapshot_pages.get_or_insert_with(SnapshotPages::default);
        ours.pages.replace(theirs, |page, copy| {
            more += theirs.get(page).map_or(0, ValuePage::bytes);
            less += copy.as_deref().map_or(0, ValuePage::bytes);
            old.push(copy);
        });
        self.table.copied = (self.table.copied + more).saturating_sub(less); // saturating, because `saved` may be a column of another world
        self.table.agree();
        if let (Some(stamps), Some(saved)) = (&mut self.stamps, &saved.stamps) {
            stamps.agree(saved);
        }
        drop(old); // last, because the drop of a value may panic
    }

    /// Drops the copies that the column of a world does not share with any snapshot.
    pub(super) fn shrink_copies(&mut self) {
        if let Some(pages) = self.cold().snapshot_pages.as_ref() {
            (pages.release)(self);
        }
    }

    /// See [`shrink_copies`](Self::shrink_copies).
    fn release_copies(&mut self) {
        if let Some(SnapshotPages { pages, saved: false, .. }) = self.cold_mut().snapshot_pages.as_mut() {
            let copies = pages.release();
            let bytes: usize = copies.iter().map(|copy| copy.bytes()).sum();
            self.table.copied = self.table.copied.saturating_sub(bytes);
            drop(copies); // last, because the drop of a value may panic
        }
    }

    /// Makes a saved column share the pages of another one.
    pub(super) fn share(&mut self, source: &Self)
    where
        T: Clone,
    {
        self.copy_cold(source);
        self.stamps = source.stamps.as_ref().map(|stamps| Box::new(stamps.share()));
        if let (Some(ours), Some(theirs)) = (self.cold_mut().snapshot_pages.as_mut(), source.copies()) {
            ours.pages.clone_from(theirs);
        }
    }
}

impl<T: Clone> Column<T> {
    /// Gives a saved column the content of a world's column `source`.
    pub(super) fn capture(&mut self, source: &Self) {
        let (count, none) = (source.mask_pages(), SharedPages::new());
        let copies = source.copies().unwrap_or(&none);
        let pages =
            copies.capture(count, |page, copy| source.agrees(page, copy), |page| source.copy_of(page));
        self.copy_cold(source);
        self.stamps = source.stamps.as_ref().map(|stamps| Box::new(stamps.capture()));
        self.cold_mut().snapshot_pages =
            ErasedBox::some(SnapshotPages { pages, saved: true, ..SnapshotPages::default() });
    }

    /// A copy of a page; `None` if the page has no values.
    fn copy_of(&self, page: usize) -> Option<ValuePage<T>> {
        let masks: Box<[u64]> = self.page_masks(page).into();
        masks.iter().find(|&&mask| mask != 0)?;
        let mut values = Vec::with_capacity(masks.iter().map(|mask| mask.count_ones() as usize).sum());
        self.runs(page).for_each(|run| values.extend_from_slice(run));
        Some(ValuePage { masks, values })
    }

    /// Gives a world's column the content of a saved column.
    pub(super) fn restore(&mut self, saved: &Self) {
        self.copy_cold(saved);
        let pages = saved.copies().map_or(0, SharedPages::len);
        for page in 0..self.mask_pages().max(pages) {
            let Some(copy) = saved.copies().and_then(|theirs| theirs.get(page)) else {
                self.empty(page);
                continue;
            };
            if self.agrees_with(saved, page) {
                continue;
            }
            let mut rest = &*copy.values;
            self.assign(page, &copy.masks, |_, len| {
                let (run, after) = rest.split_at(len);
                rest = after;
                run
            });
        }
        // stamps come after the values, because `agrees` asks them which values were changed
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
        let (one, two) = (one.copies().unwrap(), two.copies().unwrap());
        one.iter().map(|(page, _)| page).filter(|&page| one.shares(two, page)).collect()
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
