//! Clones of columns. Copying into an existing column reuses its pages and, by `clone_from`, the
//! memory that its values own.
//!
//! The code does not know the type of the values: the three functions that do are
//! [`ValueFunctions`].
//!
//! The bytes of values that are numbers and nothing else ([`plain_bytes`]) are copied into files.
#![expect(unsafe_code, reason = "values are written to uninitialised pages, and read as bytes")]

use core::{ptr, slice};

use super::column::Column;
use super::erased_column::{ErasedColumn, ValueFunctions};
use crate::base::mask::{Bits, Runs};
use crate::base::page::Shape;
use crate::base::plain::{NumberFields, is_plain};

impl ErasedColumn {
    /// The number of pages of bits.
    pub(super) fn mask_pages(&self, shape: Shape) -> usize {
        self.table.masks.len() / shape.words
    }

    /// The bits of a page; empty beyond the column's end.
    pub(super) fn page_masks(&self, page: usize, shape: Shape) -> &[u64] {
        self.table.masks.get(page * shape.words..(page + 1) * shape.words).unwrap_or_default()
    }

    /// Drops the values of a page and keeps its memory.
    ///
    /// # Safety
    /// The functions are those of the values.
    pub(super) unsafe fn empty(&mut self, page: usize, of: &ValueFunctions) {
        let words = of.shape.words;
        for word in page * words..((page + 1) * words).min(self.table.masks.len()) {
            // SAFETY: the contract of this function.
            unsafe { self.discard_bits(word, self.table.masks[word], of) };
        }
    }

    /// Drops the values of the slots `bits` of a word.
    ///
    /// # Safety
    /// The functions are those of the values.
    unsafe fn discard_bits(&mut self, word: usize, bits: u64, of: &ValueFunctions) {
        if of.drop.is_none() {
            self.table.masks[word] &= !bits;
            return;
        }
        for bit in Bits(bits & self.table.masks[word]) {
            // the slot is empty even if the drop panics
            self.table.masks[word] &= !(1 << bit);
            // SAFETY: the bit was set, so that the value is there, and is dropped once.
            unsafe { of.drop_values(self.table.address(word * 64 + bit, of.shape).as_ptr(), 1) };
        }
    }

    /// Gives a page the bits `masks`, and as values clones of those whose address `run` returns for
    /// each run of bits; `run` is called with the run's first slot and its length.
    ///
    /// If a clone panics, each slot of the page has its old value, its new value or none.
    ///
    /// # Safety
    /// The functions are those of the values, and `run` returns the address of as many adjacent
    /// values.
    pub(super) unsafe fn assign(
        &mut self,
        page: usize,
        masks: &[u64],
        mut run: impl FnMut(usize, usize) -> *const u8,
        of: &'static ValueFunctions,
    ) {
        let shape = of.shape;
        let (first, words) = (page * shape.slots(), page * shape.words);
        let used = masks.iter().rposition(|&mask| mask != 0).map_or(1, |last| last + 1);
        self.table.grow_for(page, shape.words, used);
        if shape.sized() {
            // SAFETY: `grow_for` has just made the page's entry.
            unsafe { self.table.touch(page) };
        }
        if of.drop.is_some() {
            for (word, &mask) in masks.iter().enumerate() {
                // SAFETY: the contract of this function.
                unsafe { self.discard_bits(words + word, self.table.masks[words + word] & !mask, of) };
            }
            for (from, len) in Runs::new(masks) {
                let (values, slot) = (run(from, len), (first + from) as u32);
                let is_empty = (0..len).all(|at| !self.table.contains(slot + at as u32));
                // SAFETY: `run` returned the address of a run of values.
                unsafe {
                    match is_empty {
                        true => self.insert_clones(slot, len, values, of),
                        false => (0..len).for_each(|at| {
                            self.assign_value(slot + at as u32, values.add(at * shape.size), of);
                        }),
                    }
                }
            }
            return;
        }
        // Clear bits first: if a clone panics, no bit is set without a value.
        self.table.masks[words..words + masks.len()].fill(0);
        self.table.open_slots(page, masks, shape);
        for (from, len) in Runs::new(masks) {
            let values = run(from, len);
            // SAFETY: `grow_for` made room for all words with bits, or `open_slots` the places of
            // these slots; the run lies within the page. The old values need no drop.
            unsafe { (of.clone)(values, len, self.table.address(first + from, shape).as_ptr(), &mut 0) };
        }
        self.table.masks[words..words + masks.len()].copy_from_slice(masks);
        let with_bits = masks.iter().enumerate().filter(|&(_, &mask)| mask != 0);
        with_bits.for_each(|(word, _)| self.table.widen(words + word));
    }

    /// Puts clones of adjacent values into slots of one page that have none. If a clone panics,
    /// those before it stay.
    ///
    /// # Safety
    /// The functions are those of the values, and the address is that of as many.
    unsafe fn insert_clones(
        &mut self,
        slot: u32,
        len: usize,
        source: *const u8,
        of: &'static ValueFunctions,
    ) {
        struct Written<'c>(&'c mut ErasedColumn, u32, usize);
        impl Drop for Written<'_> {
            fn drop(&mut self) {
                // SAFETY: as many clones were written to the address that `reserve` returned.
                unsafe { self.0.set_written(self.1, self.2) };
            }
        }
        // SAFETY: the contract of this function.
        unsafe {
            let to = self.reserve(slot, len, &of.shape);
            let mut written = Written(self, slot, 0);
            (of.clone)(source, len, to, &mut written.2);
        }
    }

    /// Makes the value of a slot a clone of another one.
    ///
    /// # Safety
    /// The functions are those of the values, and the address is that of one. The page of the slot
    /// is there.
    unsafe fn assign_value(&mut self, slot: u32, source: *const u8, of: &'static ValueFunctions) {
        // SAFETY: the contract of this function. The slot counts as written only after the clone.
        unsafe {
            if let Some(value) = self.value(slot, &of.shape) {
                return (of.clone_from)(value.cast_mut(), source);
            }
            self.insert_clones(slot, 1, source, of);
        }
    }

    /// Makes the column equal to another one. Reuses the pages. Shares whole pages if this column
    /// or `source` is that of a snapshot.
    ///
    /// # Safety
    /// The functions are those of the values of both columns.
    unsafe fn copy_from(&mut self, source: &Self, of: &'static ValueFunctions) {
        // SAFETY: both columns are of one type, by the contract of this function.
        unsafe {
            match (self.is_frozen(), source.is_frozen()) {
                (false, false) => {
                    self.stamps.clone_from(&source.stamps);
                    self.cold.copy_from(&source.cold);
                    for page in 0..self.mask_pages(of.shape).max(source.mask_pages(of.shape)) {
                        let masks = source.page_masks(page, of.shape);
                        if masks.iter().all(|&mask| mask == 0) {
                            self.empty(page, of);
                            continue;
                        }
                        let slot = page * of.shape.slots();
                        // the bits are the source's own, so that all slots of each run have a value
                        let run = |from, _| source.table.address(slot + from, of.shape).as_ptr().cast_const();
                        self.assign(page, masks, run, of);
                    }
                    self.table.narrow();
                }
                (false, true) => self.restore(source, of),
                (true, false) => self.capture(source, of),
                (true, true) => self.share(source),
            }
        }
    }
}

impl<T: Clone> Clone for Column<T> {
    /// The clone has pages of its own, also if `self` is the column of a snapshot.
    fn clone(&self) -> Self {
        let mut copy = Self::with_storage(self.erased.table.is_packed());
        copy.clone_from(self);
        copy
    }

    /// Reuses the pages. Shares whole pages if `self` or `source` is the column of a snapshot.
    fn clone_from(&mut self, source: &Self) {
        // SAFETY: the functions are those of `T`.
        unsafe {
            let functions = const { &ValueFunctions::of::<T>() };
            self.erased.copy_from(&source.erased, functions);
        }
    }
}

/// A value all of whose bytes are initialised.
///
/// # Invariant
/// [`is_plain`] was `true` for the value.
pub(crate) struct PlainValue<'v, T>(&'v T);

copy!([T] PlainValue<'_, T>);

impl<'v, T> PlainValue<'v, T> {
    /// Returns `None` if the listed numbers do not cover the value.
    #[inline(always)]
    pub(crate) fn of(value: &'v T, list: impl FnOnce(&'v T, &mut NumberFields<'v>)) -> Option<Self> {
        is_plain(value, list).then_some(Self(value))
    }

    #[inline(always)]
    pub(crate) fn value(self) -> &'v T {
        self.0
    }

    /// The `N` bytes from position `at`; `None` if the value is shorter.
    #[inline(always)]
    pub(crate) fn bytes<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        let end = at.checked_add(N)?;
        // SAFETY: `end <= size_of::<T>()`, so the bytes lie within the value. They are initialised
        // by the invariant, and do not change while the value is borrowed for `'v`, because shared
        // references to numbers cover them for `'v`. An array of bytes has the alignment 1.
        (end <= size_of::<T>())
            .then(|| unsafe { ptr::from_ref(self.0).cast::<u8>().add(at).cast::<[u8; N]>().read() })
    }
}

/// Returns the bytes of values; `None` if not all of them are plain.
#[inline(always)]
pub(crate) fn plain_bytes<'v, T>(
    values: &'v [T],
    list: impl Fn(&'v T, &mut NumberFields<'v>),
) -> Option<&'v [u8]> {
    // SAFETY: the bytes are those of the slice. Each value is plain, so they are initialised, and
    // they do not change while the slice is borrowed, because shared references to numbers cover
    // them for the same lifetime.
    values
        .iter()
        .all(|value| is_plain(value, &list))
        .then(|| unsafe { slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) })
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

    /// Needs no drop, so it is copied as plain values are, but its `clone` may panic.
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

    #[test]
    fn plain_values_give_their_bytes() {
        fn list<'v>(value: &'v [u8; 4], fields: &mut NumberFields<'v>) {
            fields.add(value);
        }
        let value = PlainValue::of(&[1, 2, 3, 4], list);
        assert_eq!(value.and_then(|value| value.bytes(1)), Some([2, 3]));
        assert_eq!(value.and_then(|value| value.bytes::<4>(1)), None);
        assert_eq!(value.and_then(|value| value.bytes::<4>(usize::MAX)), None);
        assert_eq!(plain_bytes(&[[1, 2, 3, 4], [5; 4]], list), Some(&[1, 2, 3, 4, 5, 5, 5, 5][..]));
        assert_eq!(plain_bytes(&[[0_u8; 4]], |_, _| {}), None);
    }
}
