//! [`Room`]: memory for one value whose type is known by its layout alone.
#![expect(unsafe_code, reason = "memory is allocated by its layout")]

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use core::alloc::Layout;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

/// Bytes on the stack that most values fit into.
#[repr(align(16))]
struct Inline(MaybeUninit<[u8; 128]>);

/// Uninitialised memory of a layout.
///
/// # Invariant
/// `heap` was allocated with `layout`.
pub(crate) struct Room {
    layout: Layout,
    inline: Inline,
    heap: Option<NonNull<u8>>,
}

impl Room {
    pub(crate) fn new(layout: Layout) -> Self {
        let mut room = Self { layout, inline: Inline(MaybeUninit::uninit()), heap: None };
        if layout.size() > size_of::<Inline>() || layout.align() > align_of::<Inline>() {
            let layout = Layout::from_size_align(layout.size().max(1), layout.align()).unwrap_or(layout);
            room.layout = layout;
            // SAFETY: the layout has a size.
            let memory = NonNull::new(unsafe { alloc(layout) });
            room.heap = Some(memory.unwrap_or_else(|| handle_alloc_error(layout)));
        }
        room
    }

    /// The address of the memory, until the room is moved.
    pub(crate) fn address(&mut self) -> *mut u8 {
        self.heap.map_or_else(|| self.inline.0.as_mut_ptr().cast(), NonNull::as_ptr)
    }
}

impl Room {
    /// The address of the memory, to be read, until the room is moved.
    pub(super) fn start(&self) -> *const u8 {
        self.heap.map_or_else(|| self.inline.0.as_ptr().cast(), |heap| heap.as_ptr().cast_const())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if let Some(heap) = self.heap {
            // SAFETY: the invariant.
            unsafe { dealloc(heap.as_ptr(), self.layout) };
        }
    }
}
