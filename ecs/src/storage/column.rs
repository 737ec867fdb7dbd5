//! One component's values: pages of slots and a word of bits for each 64 of them.
#![expect(unsafe_code, reason = "values live in uninitialised pages; the bits say where")]

use alloc::boxed::Box;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::cold_fields::{ColdFields, ErasedColdFields};
use super::stamps::Stamps;
use super::table::{RawTable, Table};
use crate::base::mask::Bits;
use crate::base::page::Shape;

/// The storage of one component: the type of a world's fields.
///
/// A column is sound by itself: swapping or replacing whole columns mixes entities up, but nothing worse.
///
/// # Invariants
/// 1. The pages are those of `T`.
/// 2. A set bit means: the slot's page is allocated and the slot's value is initialised and owned by the column.
/// 3. A clear bit means: the slot's memory, if any, holds nothing that needs dropping.
/// 4. What does not depend on `T` comes first: the address of a column is that of its bits and pages, whatever `T` is.
/// 5. What is in `rare` is a `ColdFields<T>`, of this very `T`: not of a subtype, whose functions would be called with values of
///    this one: a column is invariant in `T`.
#[repr(C)]
pub struct Column<T> {
    pub(super) table: Table,
    /// Of a tracked component. Nothing that is safe depends on their being there.
    pub(super) stamps: Option<Box<Stamps>>,
    /// See [`rare`](Self::rare).
    rare: ErasedColdFields,
    /// Makes it invariant, which an address does in the fewest words to a debugger. That values are dropped is said by `Drop`.
    invariant: PhantomData<*mut T>,
}

// SAFETY: a column owns its values and lends them by the usual rules of `&` and `&mut`. It shares copies with other
// columns only if `T` is `Sync`, too: whoever makes the first of them asks for that.
unsafe impl<T: Send> Send for Column<T> {}
// SAFETY: see above; `&Column` gives only `&T` (the query machinery demands its own proof for more).
unsafe impl<T: Sync> Sync for Column<T> {}

impl<T> Column<T> {
    pub(crate) const SHAPE: Shape = Shape::of::<T>();
    /// Words of 64 slots in a page.
    pub(crate) const WORDS: usize = Self::SHAPE.words;
    /// Slots in a page.
    pub(crate) const SLOTS: usize = Self::SHAPE.slots();

    /// A column without values; allocates nothing.
    pub const fn new() -> Self {
        Self {
            table: Table::new(const { Self::SHAPE.layout() }),
            stamps: None,
            rare: ErasedColdFields::NONE,
            invariant: PhantomData,
        }
    }

    /// What it rarely has.
    pub(super) const fn rare(&self) -> &ColdFields<T> {
        // SAFETY: invariant 5.
        unsafe { self.rare.of() }
    }

    /// The same, mutable.
    pub(super) const fn rare_mut(&mut self) -> &mut ColdFields<T> {
        // SAFETY: invariant 5.
        unsafe { self.rare.of_mut() }
    }

    /// What queries need, copied out.
    #[inline(always)]
    pub(crate) fn raw(&self) -> RawTable {
        self.table.raw()
    }

    /// Whether `slot` has a value.
    #[inline(always)]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.table.contains(slot)
    }

    /// Which slots of a word have values, if there is such a word.
    pub(crate) fn mask(&self, word: usize) -> Option<u64> {
        self.table.masks.get(word).copied()
    }

    /// The address of `slot`'s value.
    ///
    /// # Safety
    /// The slot's page is allocated (its bit is set, or `reserve` was called), or `T` has no size.
    #[inline(always)]
    pub(super) unsafe fn address(&self, slot: usize) -> NonNull<T> {
        // SAFETY: the caller's promise; the shape is that of `T`.
        unsafe { self.table.address(slot, Self::SHAPE) }.cast()
    }

    /// The address of the value of `slot`, if there is one.
    #[inline(always)]
    pub(super) fn find(&self, slot: u32) -> Option<NonNull<T>> {
        let mask = *self.table.masks.get(slot as usize / 64)?;
        // SAFETY: the bit is set, so by invariant 2 the page is there.
        (mask >> (slot % 64) & 1 == 1).then(|| unsafe { self.address(slot as usize) })
    }

    #[inline(always)]
    pub(crate) fn get(&self, slot: u32) -> Option<&T> {
        // SAFETY: by invariant 2 the value is there; `&self` protects it.
        self.find(slot).map(|value| unsafe { value.as_ref() })
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        let mut value = self.find(slot)?;
        // SAFETY: there is a value, hence a page.
        unsafe { self.touch(slot as usize / Self::SLOTS) };
        // SAFETY: as in `get`; `&mut self` makes the reference unique.
        Some(unsafe { value.as_mut() })
    }

    /// Notes that values of a page may change from now on.
    ///
    /// # Safety
    /// There is such a page, or an entry for it.
    #[inline(always)]
    pub(super) unsafe fn touch(&mut self, page: usize) {
        if const { Self::SHAPE.sized() } {
            // SAFETY: the caller's promise.
            unsafe { self.table.touch(page) };
        }
    }

    /// The address of `slot`'s value, to be written to; page and masks are made if they do not exist.
    #[inline(always)]
    fn reserve(&mut self, slot: u32) -> NonNull<T> {
        // SAFETY: the shape is that of `T`.
        unsafe { self.table.reserve(slot, Self::SHAPE) }.cast()
    }

    /// Puts a value at `slot`; gives the value that it replaces, and whether the slot's word was empty before.
    #[inline(always)]
    pub(crate) fn insert(&mut self, slot: u32, value: T) -> (Option<T>, bool) {
        let address = self.reserve(slot);
        let (word, bit) = (slot as usize / 64, 1u64 << (slot % 64));
        // SAFETY: `reserve` made the page of this slot, hence (invariant 1 of `Table`) its mask word.
        let mask = unsafe { self.table.masks.get_unchecked_mut(word) };
        let before = *mask;
        *mask = before | bit;
        if before == 0 {
            self.table.widen(word);
        }
        // SAFETY: if the bit was set the value is initialised, and is overwritten right below.
        let old = (before & bit != 0).then(|| unsafe { address.read() });
        // SAFETY: the address is valid and holds nothing that is still owned.
        unsafe { address.write(value) };
        (old, before == 0)
    }

    /// Puts a value at `slot`, which has none; if it has, the old value is leaked.
    #[inline(always)]
    pub(crate) fn insert_new(&mut self, slot: u32, value: T) {
        // SAFETY: the shape is that of `T`. The address is good for a value, which is here already: nothing happens before it
        // is written. Overwriting without dropping is safe.
        unsafe { (self.table.claim(slot, Self::SHAPE) as *mut T).write(value) };
    }

    /// Takes the value of `slot` out.
    #[inline(always)]
    pub(crate) fn remove(&mut self, slot: u32) -> Option<T> {
        let mask = self.table.masks.get_mut(slot as usize / 64)?;
        let (before, bit) = (*mask, 1u64 << (slot % 64));
        *mask = before & !bit;
        // SAFETY: the bit was set, so the value was initialised; it is owned by the caller from now on.
        (before & bit != 0).then(|| unsafe { self.address(slot as usize).read() })
    }

    /// Drops the value of `slot` in place, if there is one. The slot is empty even if the drop panics.
    #[inline]
    pub(crate) fn discard(&mut self, slot: u32) {
        if self.contains(slot) {
            self.table.masks[slot as usize / 64] &= !(1 << (slot % 64));
            // SAFETY: the bit was set, so the value was initialised, and it is dropped once.
            unsafe { self.address(slot as usize).drop_in_place() };
        }
    }

    /// The address of the first of `len` slots from `slot` on, to be written and then given to
    /// [`set_written`](Self::set_written). The slots must lie in one page.
    #[inline]
    pub(crate) fn reserve_run(&mut self, slot: u32, len: usize) -> *mut T {
        debug_assert!(len > 0 && slot as usize / Self::SLOTS == (slot as usize + len - 1) / Self::SLOTS);
        self.reserve(slot).as_ptr()
    }

    /// Sets the bits of `len` slots from `slot` on, all within one page.
    ///
    /// # Safety
    /// The values of these slots were written since [`reserve_run`](Self::reserve_run) for the same slots.
    pub(crate) unsafe fn set_written(&mut self, slot: u32, len: usize) {
        self.table.set(slot, len);
    }

    /// Puts what `next` gives into `len` slots of one word from `slot` on, which have no values; if they have, the old ones
    /// are leaked. Where `next` fails or panics, what it gave before is there.
    ///
    /// # Errors
    /// What `next` says, and for which slot.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn fill<E>(
        &mut self,
        slot: u32,
        len: usize,
        mut next: impl FnMut() -> Result<T, E>,
    ) -> Result<(), (u32, E)> {
        struct Written<'c, T>(&'c mut Column<T>, u32, usize);
        impl<T> Drop for Written<'_, T> {
            fn drop(&mut self) {
                self.0.table.set(self.1, self.2);
            }
        }
        assert!(slot as usize % 64 + len <= 64);
        let first = self.reserve(slot);
        let mut written = Written(self, slot, 0);
        while written.2 < len {
            let value = next().map_err(|error| (slot + written.2 as u32, error))?;
            // SAFETY: `reserve` made the page, which has all slots of a word, and `next` cannot reach the column; the guard
            // sets the bits of what was written and of nothing else.
            unsafe { first.add(written.2).write(value) };
            written.2 += 1;
        }
        Ok(())
    }

    /// The approximate number of bytes that the column grows by when `slot` gets a value.
    #[cfg(feature = "serde")]
    pub(crate) fn growth(&self, slot: u32) -> u64 {
        self.table.growth(slot, Self::SHAPE)
    }

    /// The bits of a word; none beyond the end.
    #[cfg(feature = "serde")]
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.mask(word).unwrap_or(0)
    }

    /// How many words of bits there are.
    #[cfg(feature = "serde")]
    pub(crate) fn words(&self) -> usize {
        self.table.masks.len()
    }

    /// Calls `f` with the values of a word, as many as lie side by side at a time, and the first one's slot; of those that
    /// are among `among`.
    #[cfg(feature = "serde")]
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
            // SAFETY: the bits are set, so by invariant 2 the page is there, and has the values of the whole word; those of
            // these slots are initialised, and `&self` protects them.
            let values = unsafe {
                core::slice::from_raw_parts(self.address(word * 64 + from as usize).as_ptr(), len as usize)
            };
            f(word * 64 + from as usize, values)?;
            left &= !crate::base::mask::range(from as usize, (from + len) as usize);
        }
        Ok(())
    }

    /// Drops all values and keeps the memory. If a drop panics the rest is dropped all the same.
    pub(crate) fn clear(&mut self) {
        if let Some(rule_state) = self.rare_mut().rule_state.as_mut() {
            rule_state.clear();
        }
        struct Rest<'c, T>(&'c mut Column<T>, usize);
        impl<T> Rest<'_, T> {
            fn run(&mut self) {
                while self.1 < self.0.table.masks.len() {
                    while let Some(bit) = Bits(self.0.table.masks[self.1]).next() {
                        self.0.discard((self.1 * 64 + bit) as u32);
                    }
                    self.1 += 1;
                }
            }
        }
        impl<T> Drop for Rest<'_, T> {
            fn drop(&mut self) {
                self.run();
            }
        }
        if const { core::mem::needs_drop::<T>() } {
            Rest(self, 0).run();
        } else {
            self.table.forget_all();
        }
    }

    /// How many values there are; counts the bits.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }
}

impl<T> Drop for Column<T> {
    fn drop(&mut self) {
        // an address: of a branch the compiler walks through all that it mentions, even where it is never taken
        let clear: Option<fn(&mut Self)> =
            const { if core::mem::needs_drop::<T>() { Some(Self::clear) } else { None } };
        if let Some(clear) = clear {
            clear(self);
        }
    }
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> core::fmt::Debug for Column<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Column").field("len", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::rc::Rc;
    use alloc::string::String;

    #[test]
    fn values_come_back_from_any_slot() {
        let mut column = Column::new();
        for slot in [0, 63, 64, 5000, 70_000] {
            assert!(column.insert(slot, alloc::format!("{slot}")).0.is_none());
        }
        assert_eq!(column.len(), 5);
        assert_eq!(column.get(5000).map(String::as_str), Some("5000"));
        assert_eq!(column.get(5001), None);
        assert_eq!(column.get(u32::MAX), None);
        assert_eq!(column.remove(63).as_deref(), Some("63"));
        assert_eq!(column.remove(63), None);
        assert_eq!(column.insert(0, String::from("new")).0.as_deref(), Some("0"));
    }

    #[test]
    fn every_value_is_dropped_once() {
        let alive = Rc::new(());
        let mut column = Column::new();
        for slot in 0..1000 {
            column.insert(slot * 7, alive.clone());
        }
        drop(column.remove(7));
        column.discard(14);
        drop(column.insert(21, alive.clone()));
        assert_eq!(Rc::strong_count(&alive), 1 + 998);
        let copy = column.clone();
        assert_eq!(Rc::strong_count(&alive), 1 + 998 * 2);
        drop(copy);
        column.clear();
        assert_eq!((Rc::strong_count(&alive), column.len()), (1, 0));
    }

    #[test]
    fn tags_have_no_pages() {
        let mut column = Column::new();
        column.insert(100_000, ());
        assert_eq!((column.len(), column.table.page_count()), (1, 0));
        assert_eq!(column.remove(100_000), Some(()));
    }

    #[test]
    fn over_aligned_values_are_aligned() {
        #[repr(align(256))]
        struct Wide(u8);
        let mut column = Column::new();
        for slot in [0, 1, 300, 9999] {
            column.insert(slot, Wide(slot as u8));
            let value = column.get(slot).unwrap();
            assert_eq!((core::ptr::from_ref(value) as usize % 256, value.0), (0, slot as u8));
        }
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
}
