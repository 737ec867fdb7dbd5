//! Gives back the memory of a table that its values do not need, after many were removed.
//!
//! Values keep their slots. The pages that have values are moved to one allocation of their size,
//! since an extent is freed only as a whole. Everything that may panic comes before the first
//! change.
#![expect(unsafe_code, reason = "pages are copied from one allocation to another")]

use core::ptr;

use super::{GROUP, Memory, PageMemory, Table};
use crate::base::page::Shape;

impl Table {
    /// Frees the pages without values, and the parts of the lists behind the last page with values.
    ///
    /// `shape` is that of the column's values.
    pub(crate) fn shrink(&mut self, shape: Shape) {
        debug_assert!(!shape.sized() || self.masks.len() == self.pages.len() * shape.words);
        self.narrow();
        let has_values = |masks: &[u64], page: usize| {
            masks[page * shape.words..][..shape.words].iter().any(|&mask| mask != 0)
        };
        let Self { masks, pages, memory, touched, layout, .. } = self;
        match memory {
            Memory::Pages(memory) => {
                let used: usize = (0..pages.len()).filter(|&page| has_values(masks, page)).count();
                if used < memory.pages() {
                    // SAFETY: a page has a size, because `memory` has pages.
                    let mut exact = unsafe { PageMemory::with_pages(*layout, used) };
                    for page in 0..pages.len() {
                        if !has_values(masks, page) {
                            pages[page] = ptr::null_mut();
                            *touched[page].get_mut() = true;
                            continue;
                        }
                        // SAFETY: `exact` was made for this layout. It has a page for each page
                        // with values, so that this call neither allocates nor panics.
                        let to = unsafe { exact.take_page(*layout) };
                        // SAFETY: a bit of the page is set, so that it is allocated (invariant 2),
                        // with this layout, as the new page is. The two are parts of different
                        // allocations.
                        unsafe { to.as_ptr().copy_from_nonoverlapping(pages[page], layout.size()) };
                        pages[page] = to.as_ptr();
                    }
                    core::mem::swap(memory, &mut exact);
                    // SAFETY: the pages had this layout, and `pages` has no address of one of them
                    // any more.
                    unsafe { exact.free(*layout) };
                }
            }
            Memory::Packed(packed) if masks.iter().all(|&mask| mask == 0) => {
                pages.fill(ptr::null_mut());
                *packed = None;
            }
            Memory::Packed(packed) => {
                if let Some(packed) = packed {
                    // SAFETY: each slot whose bit is set has a place and a value, and `pages` has
                    // an entry for each page (invariants 1 and 2).
                    unsafe { packed.shrink(masks, shape.words, pages) };
                }
            }
        }
        self.truncate(shape);
    }

    /// Cuts off the parts of the lists behind the last page with values.
    fn truncate(&mut self, shape: Shape) {
        let end = (self.span.end as usize).div_ceil(shape.words);
        self.masks.truncate(end * shape.words);
        self.used.truncate(self.masks.len().div_ceil(GROUP));
        if shape.sized() {
            self.pages.truncate(end);
            self.touched.truncate(end);
            self.note_slots(self.touched_slots.len().min(end * shape.words));
            self.open = match &self.memory {
                Memory::Packed(_) => 0,
                Memory::Pages(memory) if memory.short_bytes() > 0 => self.open,
                Memory::Pages(_) => end * shape.slots(),
            };
        }
        self.masks.shrink_to_fit();
        self.used.shrink_to_fit();
        self.pages.shrink_to_fit();
        self.touched.shrink_to_fit();
        self.touched_slots.shrink_to_fit();
    }
}
