//! What a column is apart from the type of its values: bits, and pages of memory.
//!
//! It is compiled once, not once for each component. It owns memory, and knows nothing of the values in it.
#![expect(unsafe_code, reason = "pages are allocated and freed by their layout")]

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr;

use super::page;

/// A word of bits for each 64 slots, and a table of pages of values.
///
/// # Invariants
/// 1. `masks.len() == page_count * words`; `pages` has an entry for each page unless values have no size, then none.
/// 2. An entry is null, or was allocated with `layout` and is freed when this is dropped.
pub(crate) struct Untyped {
    pub(super) masks: Vec<u64>,
    pub(super) pages: Vec<*mut u8>,
    /// That of a page.
    layout: Layout,
}

impl Untyped {
    /// Allocates nothing.
    pub(super) const fn new(layout: Layout) -> Self {
        Self { masks: Vec::new(), pages: Vec::new(), layout }
    }

    /// The layout of a page of values of this layout.
    pub(super) const fn page_of(value: Layout) -> Layout {
        let slots = page::words(value.size()) * 64;
        let Some(size) = value.size().checked_mul(slots) else {
            panic!("64 values of this component exceed the address space");
        };
        match Layout::from_size_align(size, value.align()) {
            Ok(layout) => layout,
            Err(_) => panic!("64 values of this component exceed the address space"),
        }
    }

    /// Makes a page and its masks, unless they exist; gives its address (null for values without a size).
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self, page: usize, words: usize) -> *mut u8 {
        let pages = page + 1;
        if self.masks.len() < pages * words {
            if self.layout.size() != 0 {
                self.pages.resize(pages, ptr::null_mut());
            }
            self.masks.resize(pages * words, 0);
        }
        let Some(entry) = self.pages.get_mut(page) else { return ptr::null_mut() };
        if entry.is_null() {
            // SAFETY: the layout has a size, since there is a table.
            let memory = unsafe { alloc(self.layout) };
            if memory.is_null() {
                handle_alloc_error(self.layout);
            }
            *entry = memory;
        }
        *entry
    }

    /// Whether `slot` has a value.
    #[inline(always)]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.masks.get(slot as usize / 64).is_some_and(|mask| mask >> (slot % 64) & 1 == 1)
    }

    /// Forgets the value of `slot`, if there is one.
    #[inline(always)]
    pub(crate) fn forget(&mut self, slot: u32) {
        if let Some(mask) = self.masks.get_mut(slot as usize / 64) {
            *mask &= !(1 << (slot % 64));
        }
    }

    /// Forgets all values.
    pub(crate) fn forget_all(&mut self) {
        self.masks.fill(0);
    }

    /// How many values there are; counts the bits.
    pub(crate) fn len(&self) -> usize {
        self.masks.iter().map(|mask| mask.count_ones() as usize).sum()
    }

    /// How many pages of values are allocated.
    pub(crate) fn page_count(&self) -> usize {
        self.pages.iter().filter(|page| !page.is_null()).count()
    }

    /// How many bytes are allocated for pages, page table and masks.
    pub(crate) fn bytes(&self) -> usize {
        self.page_count() * self.layout.size()
            + self.pages.capacity() * size_of::<*mut u8>()
            + self.masks.capacity() * size_of::<u64>()
    }
}

impl Drop for Untyped {
    fn drop(&mut self) {
        for &page in self.pages.iter().filter(|page| !page.is_null()) {
            // SAFETY: invariant 2.
            unsafe { dealloc(page, self.layout) };
        }
    }
}
