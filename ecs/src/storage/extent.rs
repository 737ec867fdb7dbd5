//! The memory of a column's pages, allocated several pages at a time.
//!
//! A column that grows row by row asks for its pages in turn with the other columns. If each page were an allocation of
//! its own, the pages of one column would lie between those of the others. An extent holds a share of all the pages that a
//! column has, so that most of its pages lie side by side in memory, and a loop over the column reads one stream.
#![expect(unsafe_code, reason = "extents are allocated and freed by their layout")]

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::page::SHARE;

/// The memory of the pages of one column.
///
/// # Invariants
/// 1. Each extent was allocated with `layout_of(page, extent.pages)`, and is freed when this is dropped.
/// 2. `spare` is the number of pages at the end of the last extent that were not given out yet; 0 without extents.
pub(super) struct PageMemory {
    extents: Vec<Extent>,
    spare: usize,
    /// Pages in all extents.
    pages: usize,
}

/// Pages that lie side by side in one allocation.
struct Extent {
    first: NonNull<u8>,
    pages: usize,
}

// SAFETY: it owns its memory, and gives out addresses through `&mut self` only.
unsafe impl Send for PageMemory {}
// SAFETY: as above; `&self` gives numbers only.
unsafe impl Sync for PageMemory {}

impl PageMemory {
    pub(super) const fn new() -> Self {
        Self { extents: Vec::new(), spare: 0, pages: 0 }
    }

    /// The address of one more page, which stays valid until this is dropped.
    ///
    /// # Safety
    /// `page` is the layout of all pages that were and are asked for, and has a size.
    pub(super) unsafe fn take_page(&mut self, page: Layout) -> NonNull<u8> {
        if self.spare == 0 {
            let pages = self.next_pages();
            let layout = layout_of(page, pages);
            self.extents.reserve(1); // first, since it may panic
            // SAFETY: a page has a size.
            let first = NonNull::new(unsafe { alloc(layout) });
            let first = first.unwrap_or_else(|| handle_alloc_error(layout));
            self.extents.push(Extent { first, pages });
            (self.spare, self.pages) = (pages, self.pages + pages);
        }
        let extent = self.extents.last().expect("there is one while pages are spare");
        // SAFETY: by invariant 2 the page lies within the last extent.
        let address = unsafe { extent.first.add((extent.pages - self.spare) * page.size()) };
        self.spare -= 1;
        address
    }

    /// The number of pages that the next call of `take_page` allocates; 0 if a page is spare.
    pub(super) fn next_pages(&self) -> usize {
        if self.spare == 0 { 1 + self.pages / SHARE } else { 0 }
    }

    /// Pages in all extents, the spare ones included.
    pub(super) fn pages(&self) -> usize {
        self.pages
    }

    /// Frees all extents.
    ///
    /// # Safety
    /// `page` is the layout that all pages were asked for with, and no page is used afterwards.
    pub(super) unsafe fn free(&mut self, page: Layout) {
        for extent in self.extents.drain(..) {
            // SAFETY: invariant 1.
            unsafe { dealloc(extent.first.as_ptr(), layout_of(page, extent.pages)) };
        }
        (self.spare, self.pages) = (0, 0);
    }
}

/// The layout of an extent. Pages are powers of two of values, so that one ends where the next may begin.
fn layout_of(page: Layout, pages: usize) -> Layout {
    debug_assert!(page.size().is_multiple_of(page.align()));
    let layout =
        page.size().checked_mul(pages).and_then(|size| Layout::from_size_align(size, page.align()).ok());
    layout.expect("a quarter more of memory that is allocated fits into the address space")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_pages_lie_side_by_side_and_none_twice() {
        let page = Layout::from_size_align(4096, 64).unwrap();
        let mut memory = PageMemory::new();
        // SAFETY: the layout is always this one.
        let pages: Vec<usize> =
            (0..1000).map(|_| unsafe { memory.take_page(page) }.as_ptr() as usize).collect();
        let apart = pages.windows(2).filter(|pair| pair[1] != pair[0] + 4096).count();
        assert!(apart < 30, "{apart} pages do not follow the one before");
        let mut sorted = pages.clone();
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 4096));
        assert!(memory.pages() <= 1250, "{} pages for 1000", memory.pages());
        // SAFETY: the pages are not used any more.
        unsafe { memory.free(page) };
        assert_eq!(memory.pages(), 0);
    }

    #[test]
    fn few_pages_have_no_spare_memory() {
        let page = Layout::from_size_align(128, 128).unwrap();
        let mut memory = PageMemory::new();
        for taken in 1..=4 {
            // SAFETY: the layout is always this one.
            unsafe { memory.take_page(page) };
            assert_eq!(memory.pages(), taken);
        }
        // SAFETY: the pages are not used any more.
        unsafe { memory.free(page) };
    }
}
