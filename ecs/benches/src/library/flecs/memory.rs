//! Has flecs allocate where all others do, so that its memory is counted with theirs.
//!
//! C does not say how large a block is that it frees: the size is kept before it.
#![expect(unsafe_code, reason = "C calls an allocator by raw pointers")]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error, realloc};
use std::ffi::c_void;

use flecs_ecs::prelude::ecs_os_api;

/// Room for the size; C wants its blocks aligned to as much.
const HEAD: usize = 16;

/// Takes effect if it is called before there is a world, and only then.
pub(super) fn count() {
    let _ = ecs_os_api::try_add_init_hook(Box::new(|api| {
        api.malloc_ = Some(malloc);
        api.calloc_ = Some(calloc);
        api.realloc_ = Some(reallocate);
        api.free_ = Some(free);
    }));
}

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size + HEAD, HEAD).expect("a size that C can ask for")
}

/// Writes the size into a new block, and gives what follows it.
///
/// # Safety
///
/// The block has this layout, or is null.
unsafe fn headed(block: *mut u8, layout: Layout) -> *mut c_void {
    if block.is_null() {
        handle_alloc_error(layout);
    }
    // SAFETY: the block has room for the head, is aligned for it, and begins with it.
    unsafe {
        block.cast::<usize>().write(layout.size());
        block.add(HEAD).cast()
    }
}

/// The block of what [`headed`] gave, and its layout.
///
/// # Safety
///
/// It came from [`headed`] and is still allocated.
unsafe fn block(given: *mut c_void) -> (*mut u8, Layout) {
    // SAFETY: the head is before it, in the same block, and holds the size.
    unsafe {
        let block = given.cast::<u8>().sub(HEAD);
        (block, layout(block.cast::<usize>().read() - HEAD))
    }
}

unsafe extern "C-unwind" fn malloc(size: i32) -> *mut c_void {
    let layout = layout(size as usize);
    // SAFETY: the layout has a size, at least that of the head.
    unsafe { headed(alloc(layout), layout) }
}

unsafe extern "C-unwind" fn calloc(size: i32) -> *mut c_void {
    let layout = layout(size as usize);
    // SAFETY: as above.
    unsafe { headed(alloc_zeroed(layout), layout) }
}

unsafe extern "C-unwind" fn reallocate(given: *mut c_void, size: i32) -> *mut c_void {
    let new = layout(size as usize);
    // SAFETY: what C gives back came from here, or is null; the new size is that of a layout.
    unsafe {
        if given.is_null() {
            return headed(alloc(new), new);
        }
        let (block, old) = block(given);
        headed(realloc(block, old, new.size()), new)
    }
}

unsafe extern "C-unwind" fn free(given: *mut c_void) {
    if !given.is_null() {
        // SAFETY: what C gives back came from here, and it does so once.
        unsafe {
            let (block, layout) = block(given);
            dealloc(block, layout);
        }
    }
}
