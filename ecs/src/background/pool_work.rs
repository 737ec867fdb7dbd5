//! Work of a `rayon` pool that one of its threads does while it waits for a function in the
//! background.
//!
//! If all threads of a pool waited, a function that divides its own work among them would never
//! end: a pool of one thread in which a world runs, or as many worlds as threads.

use core::time::Duration;

/// The time for which a thread waits before it looks for work.
pub(super) const PAUSE: Duration = Duration::from_millis(1);

/// Whether the current thread belongs to a pool whose work it may do.
#[cfg(feature = "parallel")]
pub(super) fn may_help() -> bool {
    rayon::current_thread_index().is_some() && DEPTH.get() < DEEPEST
}

#[cfg(not(feature = "parallel"))]
pub(super) fn may_help() -> bool {
    false
}

/// The most waits that one thread nests: the work that it does may wait, too, and each takes a part
/// of its stack.
#[cfg(feature = "parallel")]
const DEEPEST: u32 = 32;

#[cfg(feature = "parallel")]
std::thread_local! {
    /// The number of waits on this thread that do work of the pool.
    static DEPTH: core::cell::Cell<u32> = const { core::cell::Cell::new(0) };
}

/// Does work of the pool as long as there is some, for a moment.
#[cfg(feature = "parallel")]
pub(super) fn help() {
    struct Deeper;
    impl Drop for Deeper {
        fn drop(&mut self) {
            DEPTH.set(DEPTH.get() - 1);
        }
    }
    DEPTH.set(DEPTH.get() + 1);
    let _deeper = Deeper;
    let begin = std::time::Instant::now();
    while matches!(rayon::yield_now(), Some(rayon::Yield::Executed)) && begin.elapsed() < PAUSE {}
}

#[cfg(not(feature = "parallel"))]
pub(super) const fn help() {}
