//! What of a column does not depend on the type of its values: the bits, and the addresses of the pages.
//!
//! It is compiled once. All that a column does per value is compiled for each component of a world anew, so whatever
//! can do without the type is here.
#![expect(unsafe_code, reason = "frees pages, and reads bits by address")]

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr;

/// The bits and the pages of a column. It frees the pages, but knows nothing of values.
///
/// # Invariants
/// 1. `pages` has an entry for each page that `masks` has words of, unless the layout has no size, then none.
/// 2. An entry that is not null was allocated with `layout`.
pub(crate) struct Table {
    masks: Vec<u64>,
    pages: Vec<*mut u8>,
    /// Of a page; without a size if the values have none.
    layout: Layout,
}

impl Drop for Table {
    fn drop(&mut self) {
        for &page in self.pages.iter().filter(|page| !page.is_null()) {
            // SAFETY: by invariant 2 it was allocated with this layout; it is freed once, here.
            unsafe { dealloc(page, self.layout) };
        }
    }
}

impl Table {
    /// No pages of such a layout.
    pub(crate) const fn new(layout: Layout) -> Self {
        Self { masks: Vec::new(), pages: Vec::new(), layout }
    }

    /// What queries need, copied out.
    #[inline(always)]
    pub(crate) fn raw(&self) -> RawTable {
        RawTable { masks: self.masks.as_ptr(), words: self.masks.len(), pages: self.pages.as_ptr() }
    }

    /// The bits, 64 slots to a word.
    #[inline(always)]
    pub(crate) fn masks(&self) -> &[u64] {
        &self.masks
    }

    /// The bits, to be changed; not how many there are.
    #[inline(always)]
    pub(crate) fn masks_mut(&mut self) -> &mut [u64] {
        &mut self.masks
    }

    /// Whether the bit of `slot` is set.
    #[inline(always)]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        let word = self.masks.get(slot as usize / 64).copied().unwrap_or(0);
        word >> (slot % 64) & 1 == 1
    }

    /// The address of a page.
    ///
    /// # Safety
    /// Pages have a size, and this one was reserved.
    #[inline(always)]
    pub(crate) unsafe fn page(&self, page: usize) -> *mut u8 {
        debug_assert!(!self.pages[page].is_null());
        // SAFETY: by the caller's promise the page has an entry.
        unsafe { *self.pages.get_unchecked(page) }
    }

    /// Makes sure that a page of so many words, and its bits, exist. `sized` says whether the layout has a size: the
    /// caller knows it as a constant.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, page: usize, words: usize, sized: bool) {
        let ready = match sized {
            true => self.pages.get(page).is_some_and(|page| !page.is_null()),
            false => page * words < self.masks.len(),
        };
        if !ready {
            self.grow(page, words);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, page: usize, words: usize) {
        let (pages, sized) = (page + 1, self.layout.size() != 0);
        if self.masks.len() < pages * words {
            if sized {
                self.pages.resize(pages, ptr::null_mut());
            }
            self.masks.resize(pages * words, 0);
        }
        if sized && self.pages[page].is_null() {
            // SAFETY: the layout has a size.
            let memory = unsafe { alloc(self.layout) };
            if memory.is_null() {
                handle_alloc_error(self.layout);
            }
            self.pages[page] = memory;
        }
    }

    /// Sets the bits of `len` slots from `slot` on.
    pub(crate) fn set(&mut self, slot: u32, len: usize) {
        let (mut from, end) = (slot as usize, slot as usize + len);
        while from < end {
            let to = end.min((from / 64 + 1) * 64);
            self.masks[from / 64] |= super::mask::range(from % 64, to - from / 64 * 64);
            from = to;
        }
    }

    /// How many bits are set.
    pub(crate) fn count(&self) -> usize {
        self.masks.iter().map(|mask| mask.count_ones() as usize).sum()
    }

    /// How many pages are allocated.
    pub(crate) fn pages(&self) -> usize {
        self.pages.iter().filter(|page| !page.is_null()).count()
    }

    /// How many bytes are allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.pages() * self.layout.size()
            + self.pages.capacity() * size_of::<*mut u8>()
            + self.masks.capacity() * size_of::<u64>()
    }
}

/// The bits and the page table as plain addresses.
///
/// # Invariants
/// Whoever holds one also holds a borrow of the column, shared at least: neither bits nor page table change.
#[derive(Clone, Copy)]
pub(crate) struct RawTable {
    masks: *const u64,
    words: usize,
    pages: *const *mut u8,
}

impl RawTable {
    /// How many words of bits there are.
    #[inline(always)]
    pub(crate) fn words(self) -> usize {
        self.words
    }

    /// The bits of a word.
    ///
    /// # Safety
    /// `word < self.words()`.
    #[inline(always)]
    pub(crate) unsafe fn mask(self, word: usize) -> u64 {
        debug_assert!(word < self.words);
        // SAFETY: in bounds by the caller's promise; nobody changes the masks while the column is borrowed.
        unsafe { *self.masks.add(word) }
    }

    /// The bits of a word; none beyond the column's end.
    #[inline(always)]
    pub(crate) fn mask_or_empty(self, word: usize) -> u64 {
        // SAFETY: in bounds.
        if word < self.words { unsafe { self.mask(word) } } else { 0 }
    }

    /// The address of the bits of `word`, or null beyond the column's end.
    #[inline(always)]
    pub(crate) fn masks_from(self, word: usize) -> *const u64 {
        if word < self.words { self.masks.wrapping_add(word) } else { ptr::null() }
    }

    /// The address of the value of slot `word * 64`, where `words` are in a page and a value has `size` bytes;
    /// meaningless (but no error) where the page is missing.
    #[inline(always)]
    pub(crate) fn base(self, word: usize, words: usize, size: usize) -> *mut u8 {
        if word >= self.words {
            return ptr::null_mut();
        }
        // SAFETY: by invariant 1 of `Table` a word within bounds has its page within the table.
        let page = unsafe { *self.pages.add(word / words) };
        page.wrapping_add(word % words * 64 * size)
    }
}
