//! [`Lock`]: exclusive access to a value behind a shared reference, also without the standard
//! library.
#![expect(unsafe_code, reason = "the flag grants access to the value in the cell")]

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

/// A value that one thread at a time may access. A thread that finds it locked spins, so critical
/// sections must be short.
///
/// # Invariants
/// `value` is accessed only by the thread that changed `locked` from `false` to `true`, until that
/// thread stores `false`.
pub(crate) struct Lock<T> {
    locked: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: by the invariant one thread at a time accesses the value, so sharing the lock only sends
// the value between threads.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { locked: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Calls `f` with the value. `f` must not call this function of the same lock. If `f` panics,
    /// the lock is released.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        struct Release<'l>(&'l AtomicBool);
        impl Drop for Release<'_> {
            fn drop(&mut self) {
                self.0.store(false, Ordering::Release);
            }
        }
        while self.locked.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            #[cfg(feature = "std")]
            std::thread::yield_now();
            #[cfg(not(feature = "std"))]
            core::hint::spin_loop();
        }
        let _release = Release(&self.locked);
        // SAFETY: this thread has set the flag above, so by the invariant no one else accesses the
        // value before the flag is released.
        f(unsafe { &mut *self.value.get() })
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn threads_take_turns() {
        let lock = Lock::new((0_u64, 0_u64));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        lock.with(|(one, two)| {
                            assert_eq!(one, two);
                            *one += 1;
                            *two += 1;
                        });
                    }
                });
            }
        });
        assert_eq!(lock.with(|counts| *counts), (40_000, 40_000));
    }

    #[test]
    fn a_panic_releases_the_lock() {
        let lock = Lock::new(1);
        let panicked =
            std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| lock.with(|_| panic!("within"))));
        assert!(panicked.is_err());
        assert_eq!(lock.with(|value| *value), 1);
    }
}
