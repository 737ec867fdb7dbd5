//! The column of one component: pages of values, and a word of bits for each 64 slots.
#![expect(unsafe_code, reason = "pages are uninitialised memory, and the bits say which slots have a value")]

use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;

use super::cold_fields::ColdFields;
use super::erased_column::{ErasedColumn, drop_function};
use super::kind::ColumnKind;
use super::stamps::Stamps;
use super::table::RawTable;
use crate::base::mask::Slots;
use crate::base::page::Shape;
use crate::base::vec_values::VecValues;

/// The storage of one component's values: a field of the world.
///
/// A column is sound by itself: safe code that swaps or replaces whole columns gives entities wrong
/// values, but causes no undefined behaviour.
///
/// # Invariants
/// 1. The pages have the layout for values of `T`.
/// 2. If a slot's bit is set, the slot's page is allocated, and its value is initialised and owned
///    by the column.
/// 3. If a slot's bit is clear, the slot's memory, if any, contains nothing that needs dropping.
/// 4. A column begins with its `ErasedColumn`, and that with its `Table`.
/// 5. `cold` contains a `ColdFields<T>` of exactly this `T`. A subtype would not do, because its
///    functions would be called with values of `T`; therefore a column is invariant in `T`.
#[repr(C)]
pub struct Column<T> {
    /// All fields; their types do not depend on `T`, but their contents do. Who exchanges it keeps
    /// the types of the values apart.
    pub(crate) erased: ErasedColumn,
    /// Makes the column invariant in `T`. A raw pointer needs the shortest debug information.
    /// `Drop` tells rustc that values are dropped.
    invariant: PhantomData<*mut T>,
}

// SAFETY: a column owns its values and lends them by the usual rules of `&` and `&mut`. Columns
// that share pages with a snapshot may be on different threads; `freeze`, which makes the first
// shared page, is called only for components of a world, which are `Send + Sync`.
unsafe impl<T: Send> Send for Column<T> {}
// SAFETY: `&Column` gives access to `&T` only. Queries, which give `&mut T` through a shared
// column, prove exclusive access themselves.
unsafe impl<T: Sync> Sync for Column<T> {}

impl<T> Column<T> {
    pub(crate) const SHAPE: Shape = Shape::of::<T>();
    /// Words of 64 slots in a page.
    pub(crate) const WORDS: usize = Self::SHAPE.words;
    /// Slots in a page.
    pub(crate) const SLOTS: usize = Self::SHAPE.slots();

    /// A column without values; allocates nothing.
    pub const fn new() -> Self {
        Self::with_storage(false)
    }

    /// A column without values, of a component of this kind; allocates nothing.
    #[doc(hidden)]
    pub const fn of_kind<K: ColumnKind>() -> Self {
        Self::with_storage(K::PACKED)
    }

    /// A column without values, packed or not.
    pub(crate) const fn with_storage(packed: bool) -> Self {
        Self { erased: ErasedColumn::new(const { Self::SHAPE.layout() }, packed), invariant: PhantomData }
    }

    /// The optional fields of the column: removed values, the rule's state, pages shared with
    /// snapshots.
    pub(super) const fn cold(&self) -> &ColdFields<T> {
        // SAFETY: invariant 5.
        unsafe { self.erased.cold.of() }
    }

    /// Mutable access to the optional fields.
    pub(super) const fn cold_mut(&mut self) -> &mut ColdFields<T> {
        // SAFETY: invariant 5.
        unsafe { self.erased.cold.of_mut() }
    }

    /// The addresses of bits and pages that queries use.
    #[inline(always)]
    pub(crate) fn raw(&self) -> RawTable {
        self.erased.table.raw()
    }

    /// Whether `slot` has a value.
    #[inline(always)]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.erased.table.contains(slot)
    }

    /// The bits of a word; `None` beyond the column's end.
    pub(crate) fn mask(&self, word: usize) -> Option<u64> {
        self.erased.table.masks.get(word).copied()
    }

    /// The address of `slot`'s value.
    ///
    /// # Safety
    /// The slot's page is allocated (its bit is set, or `reserve` was called), or `T` has no size.
    #[inline(always)]
    pub(super) unsafe fn address(&self, slot: usize) -> NonNull<T> {
        // SAFETY: the page of the slot is allocated or `T` has no size, by the contract of this
        // function; `SHAPE` is that of `T`.
        unsafe { self.erased.table.address(slot, Self::SHAPE) }.cast()
    }

    /// The address of the value of `slot`, if there is one.
    #[inline(always)]
    pub(super) fn find(&self, slot: u32) -> Option<NonNull<T>> {
        let mask = *self.erased.table.masks.get(slot as usize / 64)?;
        // SAFETY: the bit is set, so by invariant 2 the page is allocated.
        (mask >> (slot % 64) & 1 == 1).then(|| unsafe { self.address(slot as usize) })
    }

    #[inline(always)]
    pub(crate) fn get(&self, slot: u32) -> Option<&T> {
        // SAFETY: `find` returns the address of a value whose bit is set: by invariant 2 it is
        // initialised. The borrow of `self` protects it.
        self.find(slot).map(|value| unsafe { value.as_ref() })
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        let mut value = self.find(slot)?;
        if const { Self::SHAPE.sized() } {
            // SAFETY: the slot has a value, so by invariant 2 its page exists.
            unsafe { self.erased.table.touch_slot(slot, Self::SLOTS) };
        }
        // SAFETY: as in `get`; `&mut self` makes the reference unique.
        Some(unsafe { value.as_mut() })
    }

    /// The value of `slot`, mutable, and the stamps of the column, which the caller marks when the
    /// value changes.
    #[inline(always)]
    pub(super) fn find_stamped(&mut self, slot: u32) -> Option<(&mut T, &Stamps)> {
        let mut value = self.find(slot)?;
        let stamps = self.erased.stamps.as_deref()?;
        // SAFETY: as in `get`; `&mut self` makes the reference unique, and the stamps are not part
        // of the page.
        Some((unsafe { value.as_mut() }, stamps))
    }

    /// The value of `slot`, mutable, and the optional fields of the column.
    #[inline(always)]
    pub(super) fn find_with_cold_fields(&mut self, slot: u32) -> Option<(&mut T, &mut ColdFields<T>)> {
        let value = core::ptr::from_mut(self.get_mut(slot)?);
        // SAFETY: as in `get_mut`, whose result is borrowed as long as `self`. The optional fields
        // are not part of the page.
        Some((unsafe { &mut *value }, self.cold_mut()))
    }

    /// The address of the value of `slot`, the first of `len` slots of one page that are to be
    /// written to. Allocates the page and the masks if they do not exist.
    #[inline(always)]
    fn reserve(&mut self, slot: u32, len: usize) -> NonNull<T> {
        // SAFETY: the shape is that of `T`.
        unsafe { self.erased.table.reserve(slot, len, const { &Self::SHAPE }) }.cast()
    }

    /// Puts a value at `slot`. Returns the value that it replaces, and whether the slot's word had
    /// no values before.
    #[inline(always)]
    pub(crate) fn insert(&mut self, slot: u32, value: T) -> (Option<T>, bool) {
        let address = self.reserve(slot, 1);
        let (word, bit) = (slot as usize / 64, 1u64 << (slot % 64));
        // SAFETY: `reserve` made the page of this slot, hence (invariant 1 of `Table`) its mask
        // word.
        let mask = unsafe { self.erased.table.masks.get_unchecked_mut(word) };
        let before = *mask;
        *mask = before | bit;
        if before == 0 {
            self.erased.table.widen(word);
        }
        // SAFETY: if the bit was set, the value is initialised by invariant 2. It is moved out here
        // and overwritten below.
        let old = (before & bit != 0).then(|| unsafe { address.read() });
        // SAFETY: the address comes from `reserve`, and an old value was moved out above.
        unsafe { address.write(value) };
        (old, before == 0)
    }

    /// Puts a value at `slot`, which must have none: an old value would be leaked.
    #[inline(always)]
    pub(crate) fn insert_new(&mut self, slot: u32, value: T) {
        // SAFETY: `SHAPE` is that of `T`. `claim` returns an address that is valid for a write, and
        // the value is written before any other code runs. An old value is overwritten without a
        // drop, which is safe.
        unsafe { (self.erased.table.claim(slot, const { &Self::SHAPE }) as *mut T).write(value) };
    }

    /// Removes the value of `slot` and returns it.
    #[inline(always)]
    pub(crate) fn remove(&mut self, slot: u32) -> Option<T> {
        let mask = self.erased.table.masks.get_mut(slot as usize / 64)?;
        let (before, bit) = (*mask, 1u64 << (slot % 64));
        *mask = before & !bit;
        // SAFETY: the bit was set, so the value was initialised by invariant 2. The bit is clear
        // now, so the caller owns the value.
        (before & bit != 0).then(|| unsafe { self.address(slot as usize).read() })
    }

    /// Drops the value of `slot` in place, if it has one. The slot is empty even if the drop
    /// panics.
    #[inline]
    pub(crate) fn discard(&mut self, slot: u32) {
        if self.contains(slot) {
            self.erased.table.masks[slot as usize / 64] &= !(1 << (slot % 64));
            // SAFETY: the bit was set, so the value was initialised by invariant 2. The bit is
            // clear now, so the value is dropped once.
            unsafe { self.address(slot as usize).drop_in_place() };
        }
    }

    /// The address of the values of `len` slots from `slot` on, to be written and then passed to
    /// [`set_written`](Self::set_written). All slots must lie in one page.
    #[inline]
    pub(crate) fn reserve_run(&mut self, slot: u32, len: usize) -> *mut T {
        debug_assert!(len > 0 && slot as usize / Self::SLOTS == (slot as usize + len - 1) / Self::SLOTS);
        self.reserve(slot, len).as_ptr()
    }

    /// Sets the bits of `len` slots from `slot` on, all within one page.
    ///
    /// # Safety
    /// The values of these slots were written since [`reserve_run`](Self::reserve_run) for the same
    /// slots, and no other method of the column was called in between: the values of a packed
    /// column, and those of the only page, may move.
    pub(crate) unsafe fn set_written(&mut self, slot: u32, len: usize) {
        self.erased.table.set(slot, len);
    }

    /// Puts the next values of an iterator into `len` slots of one page, from `slot` on, and sets
    /// `number` to their number, which is smaller if the iterator ends. The slots must have no
    /// values: old ones would be leaked. If the iterator panics, the values that it yielded before
    /// stay in the column, and `number` is right.
    #[inline]
    pub(crate) fn write_run(
        &mut self,
        slot: u32,
        len: usize,
        values: &mut impl Iterator<Item = T>,
        number: &mut usize,
    ) {
        struct Written<'c, T>(&'c mut Column<T>, u32, &'c mut usize);
        impl<T> Drop for Written<'_, T> {
            fn drop(&mut self) {
                self.0.erased.table.set(self.1, *self.2);
            }
        }
        assert!(slot as usize % Self::SLOTS + len <= Self::SLOTS);
        let first = self.reserve(slot, len);
        *number = 0;
        let written = Written(self, slot, number);
        let mut count = Count { rows: 0, written: &mut *written.2 };
        while count.rows < len
            && let Some(value) = values.next()
        {
            // SAFETY: `reserve` made the page, which by the assertion contains all these slots. The
            // iterator cannot access the column, and the guard sets the bits of exactly the values
            // that were written.
            unsafe { first.add(count.rows).write(value) };
            count.rows += 1;
        }
        drop(count);
    }

    /// [`write_run`](Self::write_run) for values of a `Vec`. Returns the number of values.
    #[inline]
    pub(crate) fn copy_run(&mut self, slot: u32, len: usize, values: &mut VecValues<T>) -> usize {
        assert!(slot as usize % Self::SLOTS + len <= Self::SLOTS);
        let first = self.reserve(slot, len);
        // SAFETY: `reserve` made the page, which by the assertion contains all these slots. The
        // memory of a page is not that of a `Vec`.
        let number = unsafe { values.move_to(first, len) };
        self.erased.table.set(slot, number);
        number
    }

    /// The bits of a word; 0 beyond the column's end.
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.mask(word).unwrap_or(0)
    }

    /// The number of words of bits.
    pub(crate) fn words(&self) -> usize {
        self.erased.table.masks.len()
    }

    /// The slots that have values, ascending.
    pub(crate) fn slots(&self) -> Slots<'_> {
        Slots::new(&self.erased.table.masks)
    }

    /// Calls `f` for each run of adjacent values in a word, with the slot of the first one. Visits
    /// only the values whose bit in `among` is set.
    #[inline(always)]
    pub(crate) fn runs_of<E>(
        &self,
        word: usize,
        among: u64,
        mut f: impl FnMut(usize, &[T]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut left = self.word(word) & among;
        while left != 0 {
            let from = left.trailing_zeros();
            let len = (!(left >> from)).trailing_zeros();
            // SAFETY: the bits of the run are set, so by invariant 2 these values are initialised,
            // and the page is allocated. A page contains all slots of a word. The borrow of `self`
            // protects the values.
            let values = unsafe {
                core::slice::from_raw_parts(self.address(word * 64 + from as usize).as_ptr(), len as usize)
            };
            f(word * 64 + from as usize, values)?;
            left &= !crate::base::mask::range(from as usize, (from + len) as usize);
        }
        Ok(())
    }

    /// The number of values at the slots in `words`.
    pub(crate) fn count_among(&self, words: &[u64]) -> usize {
        let values = words.iter().zip(&self.erased.table.masks).map(|(among, mask)| among & mask);
        // most words are full, and older processors count bits in a dozen instructions
        values.map(|bits| if bits == u64::MAX { 64 } else { bits.count_ones() as usize }).sum()
    }

    /// The runs of adjacent values at the slots in `words`, each with the slot of its first value.
    /// A run ends with its page.
    pub(crate) fn runs_among(&self, words: &[u64]) -> impl Iterator<Item = (usize, &[T])> + Clone {
        let (mut word, mut left) = (0, None);
        core::iter::from_fn(move || {
            let mut run: Option<Range<usize>> = None;
            while word < words.len() {
                let bits = left.unwrap_or_else(|| self.word(word) & words[word]);
                let from = bits.trailing_zeros() as usize;
                let start = word * 64 + from;
                if bits != 0
                    && run.as_ref().is_some_and(|run| run.end != start || start.is_multiple_of(Self::SLOTS))
                {
                    left = Some(bits);
                    break;
                }
                if bits == u64::MAX {
                    run = Some(run.map_or(start, |run| run.start)..start + 64);
                    (word, left) = (word + 1, None);
                } else if bits != 0 {
                    let len = (!(bits >> from)).trailing_zeros() as usize;
                    run = Some(run.map_or(start, |run| run.start)..start + len);
                    left = Some(bits & !crate::base::mask::range(from, from + len));
                } else {
                    (word, left) = (word + 1, None);
                }
            }
            let run = run?;
            // SAFETY: the bits of all slots of the run are set, so by invariant 2 these values are
            // initialised, and their page is allocated. The run has no slot but the first at which
            // a page begins. The borrow of `self` protects the values.
            let values = unsafe { core::slice::from_raw_parts(self.address(run.start).as_ptr(), run.len()) };
            Some((run.start, values))
        })
    }

    /// Drops all values and keeps the memory. If a drop or the rule state panics, the remaining
    /// values are still dropped.
    pub(crate) fn clear(&mut self) {
        // SAFETY: the shape and the function are those of `T`.
        unsafe { self.erased.clear(const { &Self::SHAPE }, const { drop_function::<T>() }) };
    }

    /// Gives back memory that the values do not need. They keep their slots, and may move.
    pub(crate) fn shrink(&mut self) {
        // SAFETY: the shape is that of `T`.
        unsafe { self.erased.shrink(const { &Self::SHAPE }) };
    }

    /// The number of values; counts the bits.
    pub(crate) fn len(&self) -> usize {
        self.erased.table.len()
    }
}

impl<T> Drop for Column<T> {
    fn drop(&mut self) {
        // a function constant: see `docs/compile-times.md`
        let clear: Option<fn(&mut Self)> =
            const { if core::mem::needs_drop::<T>() { Some(Self::clear) } else { None } };
        if let Some(clear) = clear {
            clear(self);
        }
    }
}

default!([T] Column<T>);

debug!([T] Column<T>, |this, f| f.debug_struct("Column").field("len", &this.len()).finish_non_exhaustive());

/// A counter that stores its result when it is dropped, also by a panic in the user's iterator.
/// During the loop, the count can stay in a register.
pub(crate) struct Count<'a> {
    pub(crate) rows: usize,
    pub(crate) written: &'a mut usize,
}

impl Drop for Count<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        *self.written = self.rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_no_pages() {
        let mut column = Column::new();
        column.insert(100_000, ());
        assert_eq!((column.len(), column.erased.table.page_count()), (1, 0));
        assert_eq!(column.remove(100_000), Some(()));
    }

    #[test]
    fn runs_are_written_in_bulk() {
        let mut column = Column::<u32>::new();
        let run = column.reserve_run(60, 80);
        for i in 0..80 {
            // SAFETY: within the 80 slots reserved.
            unsafe { run.add(i).write(i as u32) };
        }
        // SAFETY: all 80 were written.
        unsafe { column.set_written(60, 80) };
        assert_eq!((column.len(), column.get(59), column.get(140)), (80, None, None));
        assert_eq!((column.get(60), column.get(139)), (Some(&0), Some(&79)));
    }

    #[test]
    fn the_span_covers_each_value_and_shrinks_when_a_column_is_copied_over_it() {
        let words = |column: &Column<u32>| column.raw().words();
        let mut column = Column::<u32>::new();
        column.insert(5000, 1);
        assert_eq!(words(&column), crate::base::mask::Span { first: 78, end: 79 });
        column.insert(9000, 1);
        column.insert(5001, 1);
        assert_eq!(words(&column), crate::base::mask::Span { first: 78, end: 141 });
        let mut small = Column::<u32>::new();
        small.insert(130, 1);
        column.clone_from(&small);
        assert_eq!(words(&column), crate::base::mask::Span { first: 2, end: 3 });
        let frozen = small.freeze(Clone::clone_from);
        small.insert(9000, 2);
        small.clone_from(&frozen);
        assert_eq!(words(&small), crate::base::mask::Span { first: 2, end: 3 });
        assert_eq!((small.len(), small.get(130)), (1, Some(&1)));
    }

    #[test]
    fn pages_and_bytes_are_counted() {
        let mut column = Column::<u64>::new();
        assert_eq!((column.erased.mask_pages(Column::<u64>::SHAPE), column.erased.table.bytes()), (0, 0));
        let slots = Column::<u64>::SLOTS as u32;
        column.insert(2 * slots, 7);
        assert_eq!(
            (column.erased.mask_pages(Column::<u64>::SHAPE), column.erased.table.page_count()),
            (3, 1)
        );
        let (masks, page) = (3 * Column::<u64>::WORDS * 8, slots as usize * 8);
        assert!(
            (masks + page..4 * (masks + page)).contains(&column.erased.table.bytes()),
            "{}",
            column.erased.table.bytes()
        );
        assert_eq!(column.erased.table.copied(), 0);
        let frozen = column.freeze(Clone::clone_from);
        assert!(column.erased.table.copied() >= 8 + masks / 3, "the copy has a value and the bits of a page");
        drop(frozen);
    }
}
