//! The time that the processor spends on a thread, which other programs of the machine change
//! little.

use std::time::Duration;

/// The time that the processor has spent on this thread; on other systems than Linux the time that
/// has passed.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library has no clock of a thread")]
#[must_use]
pub fn thread_time() -> Duration {
    #[repr(C)]
    struct TimeSpec {
        seconds: std::ffi::c_long,
        nanoseconds: std::ffi::c_long,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: std::ffi::c_int, time: *mut TimeSpec) -> std::ffi::c_int;
    }
    const CLOCK_THREAD_CPUTIME_ID: std::ffi::c_int = 3;
    let mut time = TimeSpec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the function writes a `timespec` to the address, which in the C library of Linux has
    // two fields of type `long`.
    assert_eq!(unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &raw mut time) }, 0);
    Duration::new(time.seconds as u64, time.nanoseconds as u32)
}

/// The time that the processor has spent on this thread; on other systems than Linux the time that
/// has passed.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
