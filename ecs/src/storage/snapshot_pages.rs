//! The pages of values that a column shares with snapshots.
//!
//! A snapshot of a world is a world whose columns are *frozen*: in place of pages of their own they
//! have [`SharedPages`]. The column of a world has for each page a flag that says whether any value
//! of the page may have been changed since it last agreed with its copy, and for each eight slots
//! one for [`Column::get_mut`], so that a delta compares few values; the stamps of a tracked
//! component have a flag of their own. Changes of bits set no flag. Bits are compared instead: they
//! take an eighth of a byte for each slot, and code that changes them need not know about
//! snapshots.

#![expect(unsafe_code, reason = "the type of the values of a copy is that of the column it belongs to")]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::slice;

use super::column::Column;
use super::erased_column::{ErasedColumn, ValueFunctions};
use super::erased_values::ErasedValues;
use crate::base::mask::{Bits, Runs};
use crate::base::page::Shape;
use crate::base::shared_pages::SharedPages;

/// Copies of pages of values.
///
/// # Invariant
/// The values are of the type of the column that has the pages, and of those that it shares them
/// with.
#[derive(Default)]
pub(crate) struct SnapshotPages {
    pages: SharedPages<ValuePage>,
    /// Whether the column is frozen: then it has no pages beside these copies.
    frozen: bool,
}

/// A copy of the values of a page, without gaps, and the bits of their slots.
struct ValuePage {
    masks: Box<[u64]>,
    values: ErasedValues,
}

/// The values of the slots of a word of a frozen column, without gaps, and their bits.
#[derive(Debug)]
pub struct FrozenWord<'s, T> {
    pub(crate) mask: u64,
    values: &'s [T],
}

impl<'s, T> FrozenWord<'s, T> {
    /// The value of the slot with this bit.
    pub(crate) fn get(&self, bit: usize) -> Option<&'s T> {
        let below = (self.mask & ((1 << bit) - 1)).count_ones() as usize;
        (self.mask >> bit & 1 == 1).then(|| &self.values[below])
    }
}

impl ValuePage {
    fn bytes(&self) -> usize {
        size_of_val(&*self.masks) + self.values.bytes()
    }

    /// The values.
    ///
    /// # Safety
    /// They are of type `T`.
    unsafe fn values<T>(&self) -> &[T] {
        // SAFETY: the contract of this function.
        unsafe { slice::from_raw_parts(self.values.address().cast(), self.values.len()) }
    }
}

impl<T> Column<T> {
    /// The value of `slot` in a frozen column.
    pub(crate) fn frozen_value(&self, slot: u32) -> Option<&T> {
        self.frozen_word(slot as usize / 64).get(slot as usize % 64)
    }

    /// The bits of a word of a frozen column.
    pub(crate) fn frozen_mask(&self, word: usize) -> u64 {
        self.erased.copied_mask(word, Self::SHAPE)
    }

    /// The values of a word of a frozen column. Counts the bits of the words before it in its page.
    pub(crate) fn frozen_word(&self, word: usize) -> FrozenWord<'_, T> {
        let values = self.frozen_page(word / Self::WORDS).and_then(|(masks, values)| {
            let word = word % Self::WORDS;
            let mask = *masks.get(word).filter(|&&mask| mask != 0)?;
            let before: usize = masks[..word].iter().map(|mask| mask.count_ones() as usize).sum();
            Some(FrozenWord { mask, values: values.get(before..before + mask.count_ones() as usize)? })
        });
        values.unwrap_or(FrozenWord { mask: 0, values: &[] })
    }

    /// The values of a frozen column with their slots, in the order of the slots.
    pub(crate) fn frozen_values(&self) -> impl Iterator<Item = (usize, &T)> {
        self.erased.copies().into_iter().flat_map(SharedPages::iter).flat_map(|(page, copy)| {
            let words = copy.masks.iter().zip(page * Self::WORDS..);
            let slots = words.flat_map(|(&mask, word)| Bits(mask).map(move |bit| word * 64 + bit));
            // SAFETY: the copies of a column of `T` have values of `T`.
            slots.zip(unsafe { copy.values() })
        })
    }

    /// The bits and the values, without gaps, of a page of a frozen column; `None` if the page has
    /// no values.
    pub(crate) fn frozen_page(&self, page: usize) -> Option<(&[u64], &[T])> {
        let copy = self.erased.copies()?.get(page)?;
        // SAFETY: the copies of a column of `T` have values of `T`.
        Some((&copy.masks, unsafe { copy.values() }))
    }

    /// Whether a page is known to be equal to that of a frozen column.
    pub(crate) fn agrees_with(&self, frozen: &Self, page: usize) -> bool {
        self.erased.agrees_with(&frozen.erased, page, Self::SHAPE)
    }

    /// Whether a page shares the copy of a frozen column, and only values of
    /// [`touched_slots`](Self::touched_slots) may differ from it.
    pub(crate) fn differs_in_slots(&self, frozen: &Self, page: usize) -> bool {
        self.erased.differs_in_slots(&frozen.erased, page, Self::SHAPE)
    }

    /// The slots of a word that were accessed by [`get_mut`](Self::get_mut) since the page last
    /// agreed with the copy that it shares, and their neighbours.
    pub(crate) fn touched_slots(&self, word: usize) -> u64 {
        let eighths = self.erased.table.touched_slots.get(word).copied().unwrap_or(u8::MAX);
        // the lowest bit of byte `n` is bit `n` of the word's eighths
        let spread = (u64::from(eighths & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & 0x0001_0101_0101_0101)
            | u64::from(eighths >> 7) << 56;
        spread * 0xff
    }

    /// The column for a new snapshot, filled by `clone_from`, which must be that of [`Clone`]. The
    /// pages of this column agree with the snapshot's copies from now on.
    pub(crate) fn freeze(&mut self, clone_from: fn(&mut Self, &Self)) -> Self {
        let mut frozen = Self::with_storage(self.erased.table.is_packed());
        frozen.erased.snapshot_pages =
            Some(Box::new(SnapshotPages { pages: SharedPages::new(), frozen: true }));
        clone_from(&mut frozen, self);
        // SAFETY: both columns are of `T`.
        unsafe { self.erased.agree(&frozen.erased) };
        frozen
    }
}

impl ErasedColumn {
    /// Whether the column is that of a snapshot.
    pub(super) fn is_frozen(&self) -> bool {
        self.snapshot_pages.as_ref().is_some_and(|pages| pages.frozen)
    }

    fn copies(&self) -> Option<&SharedPages<ValuePage>> {
        self.snapshot_pages.as_ref().map(|copies| &copies.pages)
    }

    /// The bits of a word of a frozen column.
    fn copied_mask(&self, word: usize, shape: Shape) -> u64 {
        let copy = self.copies().and_then(|copies| copies.get(word / shape.words));
        copy.and_then(|copy| copy.masks.get(word % shape.words).copied()).unwrap_or(0)
    }

    /// Calls `f` with the address and the size in bytes of each copy of a page.
    pub(crate) fn for_each_copy(&self, f: &mut dyn FnMut(usize, usize)) {
        let copies = self.copies().into_iter().flat_map(SharedPages::iter);
        copies.for_each(|(_, copy)| f(core::ptr::from_ref(copy).addr(), copy.bytes()));
    }

    fn agrees_with(&self, frozen: &Self, page: usize, shape: Shape) -> bool {
        let Some((ours, theirs)) = self.copies().zip(frozen.copies()) else { return false };
        theirs.get(page).is_some_and(|copy| ours.shares(theirs, page) && self.agrees(page, copy, shape))
    }

    fn differs_in_slots(&self, frozen: &Self, page: usize, shape: Shape) -> bool {
        let Some((ours, theirs)) = self.copies().zip(frozen.copies()) else { return false };
        theirs.get(page).is_some() && ours.shares(theirs, page) && !self.is_touched(page, shape)
    }

    /// Whether any values of a page may have been changed since the page last agreed with the copy
    /// that it shares, apart from those of [`touched_slots`](Column::touched_slots).
    fn is_touched(&self, page: usize, shape: Shape) -> bool {
        let touched = |touched: &core::sync::atomic::AtomicBool| {
            touched.load(core::sync::atomic::Ordering::Relaxed) // the threads that set it have ended their systems
        };
        let words = page * shape.words..(page + 1) * shape.words;
        self.table.touched.get(page).is_none_or(touched)
            || self.stamps.as_ref().is_some_and(|stamps| stamps.is_touched(words))
    }

    /// Whether a page is known to agree still with the copy that it shares.
    fn agrees(&self, page: usize, copy: &ValuePage, shape: Shape) -> bool {
        let words = page * shape.words..(page + 1) * shape.words;
        let slots = || {
            let touched = self.table.touched_slots.get(words);
            // a loop that can end early would not be vectorized
            touched.is_none_or(|words| words.iter().fold(0, |all, touched| all | touched) != 0)
        };
        let changed = shape.sized() && (self.is_touched(page, shape) || slots());
        !changed && *copy.masks == *self.page_masks(page, shape)
    }

    /// Notes that all pages agree with those of a frozen column.
    ///
    /// # Safety
    /// Both columns are of one type.
    unsafe fn agree(&mut self, frozen: &Self) {
        let Some(theirs) = frozen.copies() else { return };
        let (mut more, mut less, mut old) = (0, 0, Vec::new());
        let ours = self.snapshot_pages.get_or_insert_default();
        ours.pages.replace(theirs, |page, copy| {
            more += theirs.get(page).map_or(0, ValuePage::bytes);
            less += copy.as_deref().map_or(0, ValuePage::bytes);
            old.push(copy);
        });
        self.table.copied = (self.table.copied + more).saturating_sub(less); // saturating, because `frozen` may be a column of another world
        self.table.agree();
        if let (Some(stamps), Some(frozen)) = (&mut self.stamps, &frozen.stamps) {
            stamps.agree(frozen);
        }
        drop(old); // last, because the drop of a value may panic
    }

    /// Drops the copies that the column of a world does not share with any snapshot.
    pub(super) fn shrink_copies(&mut self) {
        let Some(SnapshotPages { pages, frozen: false }) = self.snapshot_pages.as_deref_mut() else { return };
        let copies = pages.release();
        let bytes: usize = copies.iter().map(|copy| copy.bytes()).sum();
        self.table.copied = self.table.copied.saturating_sub(bytes);
        drop(copies); // last, because the drop of a value may panic
    }

    /// Makes a frozen column share the pages of another one.
    ///
    /// # Safety
    /// Both columns are of one type.
    pub(super) unsafe fn share(&mut self, source: &Self) {
        // SAFETY: the contract of this function.
        unsafe { self.cold.copy_from(&source.cold) };
        self.stamps = source.stamps.as_ref().map(|stamps| Box::new(stamps.share()));
        if let (Some(ours), Some(theirs)) = (self.snapshot_pages.as_mut(), source.copies()) {
            ours.pages.clone_from(theirs);
        }
    }

    /// Gives a frozen column the content of a world's column `source`.
    ///
    /// # Safety
    /// The functions are those of the values of both columns.
    pub(super) unsafe fn capture(&mut self, source: &Self, of: &'static ValueFunctions) {
        let (count, none) = (source.mask_pages(of.shape), SharedPages::new());
        let copies = source.copies().unwrap_or(&none);
        let pages = copies.capture(
            count,
            |page, copy| source.agrees(page, copy, of.shape),
            // SAFETY: the functions are those of the values.
            |page| unsafe { source.copy_of(page, of) },
        );
        // SAFETY: the contract of this function.
        unsafe { self.cold.copy_from(&source.cold) };
        self.stamps = source.stamps.as_ref().map(|stamps| Box::new(stamps.capture()));
        self.snapshot_pages = Some(Box::new(SnapshotPages { pages, frozen: true }));
    }

    /// A copy of a page; `None` if the page has no values.
    ///
    /// # Safety
    /// The functions are those of the values.
    unsafe fn copy_of(&self, page: usize, of: &'static ValueFunctions) -> Option<ValuePage> {
        let masks: Box<[u64]> = self.page_masks(page, of.shape).into();
        masks.iter().find(|&&mask| mask != 0)?;
        let count = masks.iter().map(|mask| mask.count_ones() as usize).sum();
        let (mut values, slot) = (ErasedValues::with_capacity(count, of), page * of.shape.slots());
        for (from, len) in Runs::new(&masks) {
            // SAFETY: the bits are the column's own, so that these values are there; there is room
            // for all of them.
            unsafe { values.extend(self.table.address(slot + from, of.shape).as_ptr(), len, of) };
        }
        Some(ValuePage { masks, values })
    }

    /// Gives a world's column the content of a frozen column.
    ///
    /// # Safety
    /// The functions are those of the values of both columns.
    pub(super) unsafe fn restore(&mut self, frozen: &Self, of: &'static ValueFunctions) {
        // SAFETY: the contract of this function.
        unsafe { self.cold.copy_from(&frozen.cold) };
        let pages = frozen.copies().map_or(0, SharedPages::len);
        let mut is_changed = false;
        for page in 0..self.mask_pages(of.shape).max(pages) {
            let Some(copy) = frozen.copies().and_then(|theirs| theirs.get(page)) else {
                if self.page_masks(page, of.shape).iter().any(|&mask| mask != 0) {
                    // SAFETY: the functions are those of the values.
                    unsafe { self.empty(page, of) };
                    is_changed = true;
                }
                continue;
            };
            if self.agrees_with(frozen, page, of.shape) {
                continue;
            }
            is_changed = true;
            let (mut rest, size) = (copy.values.address(), of.shape.size);
            let mut left = copy.values.len();
            // SAFETY: a copy has a value for each bit, in their order.
            unsafe {
                self.assign(
                    page,
                    &copy.masks,
                    |_, len| {
                        assert!(len <= left);
                        let run = rest;
                        (rest, left) = (rest.add(len * size), left - len);
                        run
                    },
                    of,
                );
            }
        }
        // stamps come after the values, because `agrees` asks them which values were changed
        match (&mut self.stamps, &frozen.stamps) {
            (Some(stamps), Some(frozen)) => stamps.restore(frozen),
            (stamps, Some(frozen)) => stamps.insert(Box::default()).restore(frozen),
            (stamps, None) => *stamps = None,
        }
        // SAFETY: both columns are of one type.
        unsafe { self.agree(frozen) };
        // where all pages agree, a look at each word would be most of the work
        if is_changed {
            self.table.narrow();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::tick::Ticks;

    /// The pages that two frozen columns share.
    fn shared<T>(one: &Column<T>, two: &Column<T>) -> Vec<usize> {
        let (one, two) = (one.erased.copies().unwrap(), two.erased.copies().unwrap());
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
        let first = column.freeze(Clone::clone_from);
        *column.get_tracked(2 * slots + 5, Ticks { this_run: 9, last_run: 8 }).unwrap() = 7;
        let second = column.freeze(Clone::clone_from);
        assert_eq!(second.frozen_value(2 * slots + 5), Some(&7));
        assert_eq!(first.frozen_value(2 * slots + 5), Some(&1));
        assert_eq!(shared(&first, &second), [0, 1, 3]);
        column.remove(7);
        *column.get_mut(3 * slots).unwrap() = 5;
        let third = column.freeze(Clone::clone_from);
        assert_eq!(shared(&second, &third), [1, 2]);
        column.clone_from(&first);
        assert_eq!(shared(&first, &column.freeze(Clone::clone_from)), [0, 1, 2, 3]);
        assert!((0..4 * slots).all(|slot| column.get(slot) == Some(&1)));
        let changed =
            |slot| column.stamps().unwrap().word(slot as usize / 64).unwrap().changed(slot as usize % 64);
        assert_eq!((changed(2 * slots + 5), changed(2 * slots + 6)), (3, 3));
    }
}
