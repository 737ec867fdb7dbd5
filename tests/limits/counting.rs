//! An allocator that counts the bytes of each thread, and their peak.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn count(bytes: isize) {
    // a thread that ends has dropped its counters
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(now.get())));
    });
}

// SAFETY: everything is done by the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// The bytes that this thread has allocated and not freed.
pub fn now() -> isize {
    NOW.get()
}

/// Calls a function. Returns its result, and the peak of bytes in this thread beyond those before
/// the call.
pub fn most<R>(f: impl FnOnce() -> R) -> (R, usize) {
    let before = NOW.get();
    MOST.set(before);
    let result = f();
    (result, (MOST.get() - before) as usize)
}

#[test]
fn the_counter_reports_the_peak_of_memory() {
    let ((), most) = most(|| {
        drop(vec![0_u8; 3000]);
        drop(vec![0_u8; 1000]);
    });
    assert_eq!(most, 3000);
}
