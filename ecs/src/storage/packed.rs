//! The memory of a packed column, which `#[component(storage = "packed")]` asks for: one allocation
//! in which pages overlap.
//!
//! As in other columns, a value lies at its page's address plus its slot's number in the page, so
//! that queries need not know about packed columns. But the pages of a packed column overlap, and
//! the values of one lie in the gaps of others: see [`Placement`]. An insertion may move the values
//! of the page, or of all pages, and so does `shrink_to_fit`.
#![expect(unsafe_code, reason = "values are copied between places of raw memory")]

use alloc::alloc::{alloc, dealloc, handle_alloc_error, realloc};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::{self, NonNull};

pub(crate) mod placement;

use placement::{Placed, Placement, slots_of, with_value};

/// The memory of the values of a packed column.
///
/// The list of the pages' addresses belongs to the table. It is an argument of each function that
/// changes `placement`, which sets it.
///
/// # Invariants
/// 1. `memory` is an allocation with `layout_of(value, placement.places())`; there is none while
///    `placement.places()` is 0.
/// 2. Values are accessed at the places of `placement` only. By its invariants these lie within the
///    allocation, and no two slots have the same place.
/// 3. A page whose slots have places has its address in the list.
pub(crate) struct PackedMemory {
    memory: NonNull<u8>,
    placement: Placement,
    /// The layout of a value, which has a size.
    value: Layout,
}

impl PackedMemory {
    /// No memory yet; `value` has a size, and a page has `page_slots` slots.
    pub(super) fn new(value: Layout, page_slots: usize) -> Self {
        debug_assert!(value.size() != 0);
        Self { memory: NonNull::dangling(), placement: Placement::new(page_slots), value }
    }

    /// The slots that have a place.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The number of bytes of the allocation and of the lists.
    pub(super) fn bytes(&self) -> usize {
        self.placement.places() * self.value.size() + self.placement.bytes()
    }

    /// The approximate number of bytes by which values of `len` slots of a word make the memory
    /// grow, from `slot` of a page on. Exact for the places: a share for each value would be
    /// several times too large or too small, depending on the gaps of the pages.
    pub(super) fn growth(&mut self, page: usize, slot: u16, len: usize) -> u64 {
        let wanted = slot as usize..slot as usize + len;
        let lists = self.placement.list_growth(page, &wanted);
        if !self.placement.lacks_room(page, wanted) {
            return lists as u64;
        }
        let places = self.placement.extended() - self.placement.places();
        // the values, and the bits of the places
        places.saturating_mul(self.value.size()).saturating_add(places / 8 + lists) as u64
    }

    /// Whether a slot of a page has a place.
    pub(super) fn has(&self, page: usize, slot: usize) -> bool {
        self.placement.has(page, slot as u16)
    }

    /// Gives places to the slots `wanted` of a page, sorted, and sets the addresses of the pages
    /// that have moved in `pages`. `masks` are the bits of the page's slots. The values whose bits
    /// are set move with their pages.
    ///
    /// # Safety
    /// Each slot whose bit is set has a place, and its value is initialised. `pages` is the list of
    /// the table, and has an entry for `page`.
    pub(super) unsafe fn claim(&mut self, page: usize, wanted: &[u16], masks: &[u64], pages: &mut [*mut u8]) {
        let mut placed = self.placement.claim(page, wanted, masks);
        if placed == Placed::Full {
            self.extend(pages);
            placed = self.placement.claim(page, wanted, masks);
        }
        match placed {
            Placed::Kept => debug_assert!(pages[page] == self.page(page), "invariant 3"),
            Placed::Moved(from) => {
                let to = self.placement.offset(page);
                for slot in with_value(self.placement.slots(page), masks) {
                    // SAFETY: the slot has a value, so it had a place at the old offset, and it has
                    // one at the new offset, by the caller's promise.
                    unsafe { self.copy(from + slot as usize, to + slot as usize) };
                }
                pages[page] = self.page(page);
            }
            Placed::Full => unreachable!("there is room for a page after `extend`"),
        }
    }

    /// Takes the places of slots without a value, and moves the values to memory of their size if
    /// it is smaller. `masks` are the bits of all slots, of which each page has `words` words. Sets
    /// `pages`, the list of the table, anew.
    ///
    /// # Safety
    /// Each slot whose bit is set has a place, and its value is initialised. `pages` has an entry
    /// for each page.
    pub(super) unsafe fn shrink(&mut self, masks: &[u64], words: usize, pages: &mut [*mut u8]) {
        self.placement.retain(masks);
        // SAFETY: the slots whose bits are set have kept their places. The values are used in
        // `compact` only, once it is in `self`.
        let compact = unsafe { self.compacted(masks, words, &mut alloc::vec![ptr::null_mut(); pages.len()]) };
        if compact.bytes() < self.bytes() {
            *self = compact;
        }
        for (page, address) in pages.iter_mut().enumerate() {
            let is_placed = !self.placement.slots(page).is_empty();
            *address = if is_placed { self.page(page) } else { ptr::null_mut() };
        }
    }

    /// Copies the values of the slots in `masks`, `words` words for each page, byte by byte into
    /// new memory. Sets the addresses of the copy's pages in `pages`, whose entries are null.
    ///
    /// # Safety
    /// Each slot whose bit is set has a place, and its value is initialised. The caller uses the
    /// values of either `self` or the copy.
    unsafe fn compacted(&self, masks: &[u64], words: usize, pages: &mut [*mut u8]) -> Self {
        let (mut new, none) = (Self::new(self.value, words * 64), alloc::vec![0; words]);
        for (page, masks) in masks.chunks(words).enumerate() {
            let slots: Vec<u16> = slots_of(masks);
            if slots.is_empty() {
                continue;
            }
            // SAFETY: `none` has no bits: no value of the page has been written yet. `pages` is the
            // list of `new`, and has an entry for each page.
            unsafe { new.claim(page, &slots, &none, pages) };
            let (from, to) = (self.placement.offset(page), new.placement.offset(page));
            let size = self.value.size();
            for slot in slots.iter().map(|&slot| slot as usize) {
                // SAFETY: the slot has a place in `self` by the contract of this function, and in
                // `new` since `claim`; by invariant 2 both lie within their allocations.
                unsafe {
                    let (from, to) =
                        (self.memory.add((from + slot) * size), new.memory.add((to + slot) * size));
                    from.copy_to_nonoverlapping(to, size);
                }
            }
        }
        new
    }

    /// The address of a page that has slots.
    fn page(&self, page: usize) -> *mut u8 {
        // in bounds: the offset is below the number of places
        self.memory.as_ptr().wrapping_add(self.placement.offset(page) * self.value.size())
    }

    /// Copies a value from one place to another one.
    ///
    /// # Safety
    /// Both are places of `placement`, of which the second was free before.
    unsafe fn copy(&mut self, from: usize, to: usize) {
        let size = self.value.size();
        // SAFETY: by invariant 2 both places are within the allocation; they differ by the contract
        // of this function.
        unsafe { self.memory.add(from * size).copy_to_nonoverlapping(self.memory.add(to * size), size) };
    }

    /// Adds places, and sets the addresses of the pages anew.
    fn extend(&mut self, pages: &mut [*mut u8]) {
        let before = self.placement.places();
        let new = layout_of(self.value, self.placement.extended()); // may panic, so it comes first
        self.placement.extend();
        // SAFETY: values have a size, and there are places after `extend`. By invariant 1 the old
        // memory was allocated with this layout.
        let memory = NonNull::new(unsafe {
            if before == 0 {
                alloc(new)
            } else {
                realloc(self.memory.as_ptr(), layout_of(self.value, before), new.size())
            }
        });
        self.memory = memory.unwrap_or_else(|| handle_alloc_error(new));
        for (page, address) in pages.iter_mut().enumerate().filter(|(_, address)| !address.is_null()) {
            *address = self.page(page);
        }
    }
}

impl Drop for PackedMemory {
    fn drop(&mut self) {
        if self.placement.places() != 0 {
            // SAFETY: there are places, so by invariant 1 `memory` is an allocation with this
            // layout.
            unsafe { dealloc(self.memory.as_ptr(), layout_of(self.value, self.placement.places())) };
        }
    }
}

/// The layout of the memory for values at so many places.
fn layout_of(value: Layout, places: usize) -> Layout {
    let size = value.size().checked_mul(places);
    let layout = size.and_then(|size| Layout::from_size_align(size, value.align()).ok());
    layout.expect("the values of a packed column fit into the address space")
}

#[cfg(test)]
mod tests {
    use crate::storage::column::Column;
    use alloc::vec::Vec;

    fn packed<T>() -> Column<T> {
        Column::with_storage(true)
    }

    #[test]
    fn growth_is_known_before_values_are_inserted() {
        // runs of up to 64 slots, and single slots in an order of their own
        for (step, most) in [(64, 64), (64, 63), (64, 5), (64, 1), (128, 40), (2 * 7919, 3)] {
            let (mut column, mut grown) = (packed::<[u64; 4]>(), 0);
            for i in 0..3000u32 {
                let (slot, len) = (i * step % 200_000 / 64 * 64, most.min(1 + i as usize % 64));
                let (before, growth) = (
                    column.erased.table.bytes() as u64,
                    column.erased.table.growth(slot, len, Column::<[u64; 4]>::SHAPE),
                );
                for at in 0..len {
                    column.insert(slot + at as u32, [1; 4]);
                }
                grown += growth;
                // a list that grows makes room for several values; half of the places are more than
                // that
                let lists = 100_000;
                let after = column.erased.table.bytes() as u64;
                assert!(after <= before + growth + lists, "{before} + {growth} bytes became {after}");
            }
            let bytes = column.erased.table.bytes() as u64;
            assert!(
                bytes <= grown + grown / 8 && grown <= bytes + bytes / 4,
                "{bytes} bytes, {grown} expected"
            );
        }
    }

    #[test]
    fn over_aligned_values_are_aligned() {
        #[repr(align(256))]
        struct Wide(u8);
        let mut column = packed();
        for i in 0..1000_u32 {
            column.insert(i * 77 % 5000, Wide(i as u8));
        }
        let values: Vec<_> = (0..5000).filter_map(|slot| column.get(slot)).collect();
        assert_eq!(values.len(), 1000);
        assert!(values.iter().all(|value| core::ptr::from_ref(*value).addr().is_multiple_of(256)));
        assert_eq!(column.get(77).map(|wide| wide.0), Some(1));
    }

    #[test]
    fn runs_are_written_to_places_of_their_own() {
        let mut column = packed::<u32>();
        let mut expected = alloc::vec![None; 20_000];
        for round in 0..200u32 {
            let (slot, len) = (round * 977 % 16_000, 1 + round as usize % 90);
            let len = len.min(Column::<u32>::SLOTS - slot as usize % Column::<u32>::SLOTS);
            let mut written = 0;
            column.write_run(slot, len, &mut (0..).map(|i| round * 1000 + i), &mut written);
            (0..len).for_each(|i| expected[slot as usize + i] = Some(round * 1000 + i as u32));
        }
        assert!((0..20_000).all(|slot| column.get(slot).copied() == expected[slot as usize]));
    }

    #[test]
    fn a_copy_of_a_packed_column_is_packed() {
        let mut column = packed::<u64>();
        (0..1000u32).for_each(|i| column.insert_new(i * 613, u64::from(i)));
        let copy = column.clone();
        let mut plain = Column::new();
        plain.clone_from(&column);
        assert!(copy.erased.table.bytes() * 4 < plain.erased.table.bytes());
        let frozen = column.freeze(Clone::clone_from);
        let mut restored = frozen.clone();
        assert!(restored.erased.table.is_packed());
        restored = packed();
        restored.clone_from(&frozen);
        assert!((0..1000u32).all(|i| restored.get(i * 613) == Some(&u64::from(i))));
    }
}
