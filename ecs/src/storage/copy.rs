//! Copies of columns: page by page, and run by run of set bits.
//!
//! A run is a straight loop over two slices, so that the compiler makes plain copies of memory of it where `clone` is
//! one. A copy that is made into a column reuses the column's pages and, by `clone_from`, what its values own.
#![expect(unsafe_code, reason = "values are written to uninitialised pages before their bits are set")]

use core::mem::{MaybeUninit, needs_drop};
use core::slice;

use super::cold_fields::{ColdFields, ErasedBox};
use super::column::Column;
use super::snapshot_pages::SnapshotPages;
use crate::base::mask::{Bits, Runs};

impl<T> Column<T> {
    /// How many pages of bits there are.
    pub(super) fn page_count(&self) -> usize {
        self.table.masks.len() / Self::WORDS
    }

    /// The bits of a page; none of a page that is not there.
    pub(super) fn page_masks(&self, page: usize) -> &[u64] {
        self.table.masks.get(page * Self::WORDS..(page + 1) * Self::WORDS).unwrap_or_default()
    }

    /// The values of `len` slots of a page, which all have one.
    ///
    /// # Safety
    /// The bits of these slots are set.
    pub(super) unsafe fn run(&self, page: usize, from: usize, len: usize) -> &[T] {
        debug_assert!(len > 0 && from + len <= Self::SLOTS);
        // SAFETY: a bit is set, so by invariant 2 the page is there, and all these slots have values.
        unsafe { slice::from_raw_parts(self.address(page * Self::SLOTS + from).as_ptr(), len) }
    }

    /// Drops the values of a page and keeps its memory.
    pub(super) fn empty(&mut self, page: usize) {
        for word in page * Self::WORDS..((page + 1) * Self::WORDS).min(self.table.masks.len()) {
            if const { needs_drop::<T>() } {
                self.discard_bits(word, self.table.masks[word]);
            } else {
                self.table.masks[word] = 0;
            }
        }
    }

    /// Drops the values of some slots of a word.
    fn discard_bits(&mut self, word: usize, bits: u64) {
        Bits(bits).for_each(|bit| self.discard((word * 64 + bit) as u32));
    }
}

impl<T: Clone> Column<T> {
    /// Makes a page have values where `masks` has bits: clones of what `run` gives for each run of them, by its first
    /// slot and its length.
    ///
    /// If a clone panics the page has some of the old values, or of the new ones, or none.
    pub(super) fn assign<'s>(
        &mut self,
        page: usize,
        masks: &[u64],
        mut run: impl FnMut(usize, usize) -> &'s [T],
    ) where
        T: 's,
    {
        let (first, words) = (page * Self::SLOTS, page * Self::WORDS);
        self.table.grow(page, Self::WORDS);
        // SAFETY: it has just been made.
        unsafe { self.touch(page) };
        if const { needs_drop::<T>() } {
            for (word, &mask) in masks.iter().enumerate() {
                self.discard_bits(words + word, self.table.masks[words + word] & !mask);
            }
            for (from, len) in Runs::new(masks) {
                for (i, value) in run(from, len).iter().enumerate() {
                    let slot = (first + from + i) as u32;
                    match self.get_mut(slot) {
                        Some(old) => old.clone_from(value),
                        None => self.insert_new(slot, value.clone()),
                    }
                }
            }
            return;
        }
        // Without a bit there is no value, whatever happens until the bits are set.
        self.table.masks[words..words + masks.len()].fill(0);
        for (from, len) in Runs::new(masks) {
            let values = run(from, len);
            assert_eq!(values.len(), len);
            // SAFETY: `grow` made the page, the run is within it, and nobody else has the column.
            let to = unsafe {
                slice::from_raw_parts_mut(self.address(first + from).cast::<MaybeUninit<T>>().as_ptr(), len)
            };
            // What is overwritten needs no drop. Of a type that is `Copy` this is one copy of memory.
            to.write_clone_of_slice(values);
        }
        self.table.masks[words..words + masks.len()].copy_from_slice(masks);
        self.table.widen(words);
        self.table.widen(words + masks.len() - 1);
    }
}

impl<T: Clone> Clone for Column<T> {
    fn clone(&self) -> Self {
        let mut copy = if SnapshotPages::is_saved(self) { Self::saved() } else { Self::new() };
        copy.clone_from(self);
        copy
    }

    /// Reuses the pages. From the column of a snapshot, and to one, whole pages are shared.
    fn clone_from(&mut self, source: &Self) {
        match (SnapshotPages::is_saved(self), SnapshotPages::is_saved(source)) {
            (false, false) => {
                self.stamps.clone_from(&source.stamps);
                self.take_extras(source);
                for page in 0..self.page_count().max(source.page_count()) {
                    let masks = source.page_masks(page);
                    if masks.iter().all(|&mask| mask == 0) {
                        self.empty(page);
                    } else {
                        // SAFETY: what is asked for are runs of the source's own bits.
                        self.assign(page, masks, |from, len| unsafe { source.run(page, from, len) });
                    }
                }
                self.table.narrow();
            }
            (false, true) => self.restore(source),
            (true, false) => self.capture(source),
            (true, true) => self.share(source),
        }
    }
}

impl<T: Clone> Column<T> {
    /// Copies what a column has beside its values and their stamps.
    pub(super) fn take_extras(&mut self, source: &Self) {
        let ColdFields { removals, rule_state, known: _ } = source.rare();
        self.rare_mut().removals.clone_from(removals);
        self.rare_mut().rule_state =
            rule_state.as_ref().map_or(ErasedBox::none(), |rule_state| ErasedBox::some(rule_state.copy()));
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    extern crate std;

    use super::*;

    std::thread_local! {
        /// The number of values that can be cloned before a clone panics.
        static CLONES: Cell<u32> = const { Cell::new(u32::MAX) };
    }

    /// Needs no drop, so that its copies take the way of plain values, and may panic all the same.
    struct Plain(u32);

    impl Clone for Plain {
        fn clone(&self) -> Self {
            CLONES.set(CLONES.get().checked_sub(1).expect("no more clones"));
            Self(self.0)
        }
    }

    #[test]
    fn a_clone_that_panics_leaves_no_bit_without_a_value() {
        let mut source = Column::new();
        (0..200).for_each(|slot| source.insert_new(slot, Plain(7)));
        for (clones, is_new) in [0, 1, 63, 64, 150, 199].into_iter().flat_map(|n| [(n, true), (n, false)]) {
            let mut copy = Column::new();
            if !is_new {
                (100..300).for_each(|slot| copy.insert_new(slot, Plain(3)));
            }
            CLONES.set(clones);
            let done = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| copy.clone_from(&source)));
            CLONES.set(u32::MAX);
            assert!(done.is_err());
            for slot in 0..300 {
                assert!(copy.get(slot).is_none_or(|value| [3, 7].contains(&value.0)), "slot {slot}");
            }
            assert!(!is_new || copy.len() == 0, "{} values of {clones} clones", copy.len());
            copy.clone_from(&source);
            assert_eq!((copy.len(), copy.get(199).map(|value| value.0)), (200, Some(7)));
        }
    }
}
