//! [`ErasedValues`]: values side by side, of a type that is known by its functions alone.
#![expect(unsafe_code, reason = "memory is allocated by its layout")]

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use core::alloc::Layout;
use core::ptr::NonNull;

use super::erased_column::ValueFunctions;

/// A list of values that is filled once.
///
/// # Invariants
/// 1. `start` was allocated with `layout`, or is dangling if that has no size.
/// 2. The first `len` values are there; `drop` drops values of their type.
pub(super) struct ErasedValues {
    start: NonNull<u8>,
    len: usize,
    layout: Layout,
    drop: Option<unsafe fn(*mut u8, usize)>,
}

impl ErasedValues {
    /// An empty list with room for this number of values.
    pub(super) fn with_capacity(capacity: usize, of: &ValueFunctions) -> Self {
        let bytes = of.shape.size.checked_mul(capacity);
        let layout = bytes.and_then(|bytes| Layout::from_size_align(bytes, of.shape.align).ok());
        let layout = layout.expect("the values of a page fit into the address space");
        let start = if layout.size() == 0 {
            NonNull::new(of.shape.nowhere())
        } else {
            // SAFETY: the layout has a size.
            NonNull::new(unsafe { alloc(layout) })
        };
        let start = start.unwrap_or_else(|| handle_alloc_error(layout));
        Self { start, len: 0, layout, drop: of.drop }
    }

    /// Adds clones of adjacent values. If a clone panics, those before it stay in the list.
    ///
    /// # Safety
    /// The address is that of as many values, there is room for them, and the functions are those
    /// of the list.
    pub(super) unsafe fn extend(&mut self, from: *const u8, len: usize, of: &ValueFunctions) {
        // SAFETY: the contract of this function.
        unsafe {
            let to = self.start.add(self.len * of.shape.size).as_ptr();
            (of.clone)(from, len, to, &mut self.len);
        }
    }

    /// The address of the first value.
    pub(super) fn address(&self) -> *const u8 {
        self.start.as_ptr()
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The number of bytes that are allocated.
    pub(super) fn bytes(&self) -> usize {
        self.layout.size()
    }
}

impl Drop for ErasedValues {
    fn drop(&mut self) {
        /// Frees the memory, also if the drop of a value panics.
        struct Memory(NonNull<u8>, Layout);
        impl Drop for Memory {
            fn drop(&mut self) {
                if self.1.size() > 0 {
                    // SAFETY: invariant 1.
                    unsafe { dealloc(self.0.as_ptr(), self.1) };
                }
            }
        }
        let memory = Memory(self.start, self.layout);
        if let Some(drop) = self.drop {
            // SAFETY: invariant 2, and the values are not used any more.
            unsafe { drop(memory.0.as_ptr(), self.len) };
        }
    }
}
