//! A column that grows row by row allocates its pages in turn with the other columns. If each page
//! were an allocation of its own, the pages of one column would lie between those of the others. An
//! extent has as many pages as a fixed share of the pages that the column has already, so that most
//! of them lie side by side in memory, and a loop over the column reads one stream.
//!
//! As long as a column has one page only, the memory of that page may be shorter, and grows with
//! its values.
#![expect(unsafe_code, reason = "extents are allocated and freed with an explicit layout")]

use alloc::alloc::{alloc, dealloc, handle_alloc_error, realloc};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::page::SHARE;

/// The memory of the pages of one column.
///
/// # Invariants
/// 1. Each extent was allocated with `layout_of(page, extent.pages)`, and is freed by `free` only.
/// 2. `spare` is the number of pages at the end of the last extent that were not given out yet; 0
///    without extents.
/// 3. `short` is an allocation with `short_layout(page, bytes)`, and its number of bytes, which is
///    smaller than a page.
pub(super) struct PageMemory {
    extents: Vec<Extent>,
    spare: usize,
    /// The number of pages in all extents.
    pages: usize,
    /// The memory of a page that does not have its full length yet.
    short: Option<(NonNull<u8>, usize)>,
}

/// One allocation of several pages.
struct Extent {
    first: NonNull<u8>,
    pages: usize,
}

// SAFETY: the memory belongs to this value alone, and addresses are given out through `&mut self`
// only.
unsafe impl Send for PageMemory {}
// SAFETY: `&self` gives access to numbers only, not to the memory.
unsafe impl Sync for PageMemory {}

impl PageMemory {
    pub(super) const fn new() -> Self {
        Self { extents: Vec::new(), spare: 0, pages: 0, short: None }
    }

    /// Memory for exactly this number of pages, of which none is taken.
    ///
    /// # Safety
    /// `page` has a size, and is the layout in all calls for this `PageMemory`.
    pub(super) unsafe fn with_pages(page: Layout, pages: usize) -> Self {
        let mut memory = Self::new();
        if pages > 0 {
            // SAFETY: the caller's contract, and there is at least one page.
            unsafe { memory.extend(page, pages) };
        }
        memory
    }

    /// Allocates an extent. No page of the extent before it is spare.
    ///
    /// # Safety
    /// `page` has a size, and is the layout in all calls for this `PageMemory`. `pages` is not 0.
    unsafe fn extend(&mut self, page: Layout, pages: usize) {
        debug_assert!(self.spare == 0 && pages > 0);
        let layout = layout_of(page, pages);
        self.extents.reserve(1); // before the allocation, because it may panic
        // SAFETY: by the contract of this function a page has a size, so `layout` has one.
        let first = NonNull::new(unsafe { alloc(layout) });
        let first = first.unwrap_or_else(|| handle_alloc_error(layout));
        self.extents.push(Extent { first, pages });
        (self.spare, self.pages) = (pages, self.pages + pages);
    }

    /// Takes one more page and returns its address, which stays valid until `free` is called.
    ///
    /// # Safety
    /// `page` has a size, and is the layout in all calls for this `PageMemory`.
    pub(super) unsafe fn take_page(&mut self, page: Layout) -> NonNull<u8> {
        if self.spare == 0 {
            let pages = self.next_pages();
            // SAFETY: the caller's contract; without a spare page `next_pages` is at least 1.
            unsafe { self.extend(page, pages) };
        }
        let extent = self.extents.last().expect("a spare page is in the last extent");
        // SAFETY: by invariant 2 the page lies within the last extent.
        let address = unsafe { extent.first.add((extent.pages - self.spare) * page.size()) };
        self.spare -= 1;
        address
    }

    /// Makes the memory of the first page `bytes` long, the full length of a page at most, and
    /// returns its address. What was written to the page is moved there. The page has its full
    /// length as soon as `bytes` is that.
    ///
    /// # Safety
    /// `page` has a size, and is the layout in all calls for this `PageMemory`. No page was taken
    /// but by this function, and none had its full length. `bytes` is more than in the last call
    /// and not 0.
    pub(super) unsafe fn take_first(&mut self, page: Layout, bytes: usize) -> NonNull<u8> {
        debug_assert!(self.pages == 0 && bytes <= page.size() && self.short_bytes() < bytes);
        let layout = short_layout(page, bytes);
        self.extents.reserve(1); // before the allocation, because it may panic
        // SAFETY: `layout` has a size, by the contract of this function; the old memory was
        // allocated with the layout of its length (invariant 3), and the alignment is the same.
        let first = unsafe {
            match self.short {
                None => alloc(layout),
                Some((old, old_bytes)) => realloc(old.as_ptr(), short_layout(page, old_bytes), bytes),
            }
        };
        let first = NonNull::new(first).unwrap_or_else(|| handle_alloc_error(layout));
        if bytes == page.size() {
            self.extents.push(Extent { first, pages: 1 });
            (self.short, self.pages) = (None, 1);
        } else {
            self.short = Some((first, bytes));
        }
        first
    }

    /// The length of the memory of the first page, if it is shorter than a page; else 0.
    pub(super) fn short_bytes(&self) -> usize {
        self.short.map_or(0, |(_, bytes)| bytes)
    }

    /// Whether any page was taken, or is spare.
    pub(super) fn is_empty(&self) -> bool {
        self.pages == 0 && self.short.is_none()
    }

    /// The number of bytes of all pages, the spare ones included.
    pub(super) fn bytes(&self, page: Layout) -> usize {
        self.pages * page.size() + self.short_bytes()
    }

    /// The number of pages that the next call of `take_page` allocates; 0 if a page is spare.
    pub(super) fn next_pages(&self) -> usize {
        if self.spare == 0 { 1 + self.pages / SHARE } else { 0 }
    }

    /// The number of pages, the spare ones and a shorter one included.
    pub(super) fn pages(&self) -> usize {
        self.pages + usize::from(self.short.is_some())
    }

    /// Frees all extents.
    ///
    /// # Safety
    /// `page` is the layout of all calls of `take_page`, and no page is used afterwards.
    pub(super) unsafe fn free(&mut self, page: Layout) {
        for extent in self.extents.drain(..) {
            // SAFETY: by invariant 1 the extent was allocated with this layout; the contract of
            // this function says that no page is used any more.
            unsafe { dealloc(extent.first.as_ptr(), layout_of(page, extent.pages)) };
        }
        if let Some((first, bytes)) = self.short.take() {
            // SAFETY: by invariant 3 the memory was allocated with this layout; the contract of
            // this function says that it is not used any more.
            unsafe { dealloc(first.as_ptr(), short_layout(page, bytes)) };
        }
        (self.spare, self.pages) = (0, 0);
    }
}

/// The layout of the first `bytes` bytes of a page.
fn short_layout(page: Layout, bytes: usize) -> Layout {
    Layout::from_size_align(bytes, page.align()).expect("a page fits into the address space")
}

/// The layout of an extent. The size of a page is a multiple of its alignment, so pages follow each
/// other without gaps.
fn layout_of(page: Layout, pages: usize) -> Layout {
    debug_assert!(page.size().is_multiple_of(page.align()));
    let layout =
        page.size().checked_mul(pages).and_then(|size| Layout::from_size_align(size, page.align()).ok());
    layout.expect("an extent fits into the address space: it is a share of memory that is allocated already")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_pages_lie_side_by_side_and_none_overlap() {
        let page = Layout::from_size_align(4096, 64).unwrap();
        let mut memory = PageMemory::new();
        // SAFETY: the layout is always this one.
        let pages: Vec<usize> =
            (0..1000).map(|_| unsafe { memory.take_page(page) }.as_ptr() as usize).collect();
        let apart = pages.windows(2).filter(|pair| pair[1] != pair[0] + 4096).count();
        assert!(apart < 50, "{apart} pages do not follow the one before");
        let mut sorted = pages.clone();
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 4096));
        assert!(memory.pages() <= 1125, "{} pages for 1000", memory.pages());
        // SAFETY: the pages are not used any more.
        unsafe { memory.free(page) };
        assert_eq!(memory.pages(), 0);
    }

    #[test]
    fn a_first_page_that_grows_keeps_its_bytes() {
        let page = Layout::from_size_align(4096, 64).unwrap();
        let mut memory = PageMemory::new();
        for (bytes, short) in [(256, 256), (1024, 1024), (4096, 0)] {
            // SAFETY: the layout is always this one, and the lengths ascend. The bytes before were
            // written.
            unsafe {
                let first = memory.take_first(page, bytes).as_ptr();
                assert_eq!(first as usize % 64, 0);
                if bytes == 256 {
                    first.write_bytes(7, bytes);
                }
                assert!((0..256).all(|at| *first.add(at) == 7));
            }
            assert_eq!((memory.pages(), memory.short_bytes(), memory.bytes(page)), (1, short, bytes));
        }
        // SAFETY: the layout is always this one.
        unsafe { memory.take_page(page) };
        assert_eq!(memory.pages(), 2);
        // SAFETY: the pages are not used any more.
        unsafe { memory.free(page) };
        assert!(memory.is_empty());
        // SAFETY: the layout is always this one, and the short page is not used any more when it is
        // freed.
        unsafe {
            memory.take_first(page, 64);
            memory.free(page);
        }
        assert!(memory.is_empty());
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
