//! Values that panic on request, in `Drop`, `Clone`, `Default` and iterators.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Makes the `n`-th call of [`burn`] from now on, counted from one, panic.
pub fn arm(n: u32) {
    LEFT.set(Some(n));
}

/// Disarms the fuse: no call of [`burn`] panics.
pub fn disarm() {
    LEFT.set(None);
}

/// One step towards the panic.
///
/// # Panics
/// If it was armed and this is the step.
pub fn burn(what: &str) {
    match LEFT.get() {
        Some(1) => {
            LEFT.set(None);
            panic!("the fuse of {what} burnt down");
        }
        Some(left) => LEFT.set(Some(left - 1)),
        None => {}
    }
}

/// Runs `f` with the fuse armed. Returns whether it panicked. The fuse is disarmed afterwards.
pub fn blows_up<R>(n: u32, f: impl FnOnce() -> R) -> bool {
    arm(n);
    let blown = catch_unwind(AssertUnwindSafe(f)).is_err();
    disarm();
    blown
}

/// The source file that is named as the place of a panic in `f`.
///
/// # Panics
/// If `f` does not panic.
pub fn panic_file<R>(f: impl FnOnce() -> R) -> String {
    thread_local! {
        static FILE: Cell<String> = const { Cell::new(String::new()) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            FILE.set(info.location().map(|location| location.file().to_owned()).unwrap_or_default());
            before(info);
        }));
    });
    assert!(catch_unwind(AssertUnwindSafe(f)).is_err(), "there was no panic");
    FILE.take()
}

/// The message of a panic in `f`.
///
/// # Panics
/// If `f` does not panic.
pub fn panic_message<R>(f: impl FnOnce() -> R) -> String {
    let payload = match catch_unwind(AssertUnwindSafe(f)) {
        Ok(_) => panic!("there was no panic"),
        Err(payload) => payload,
    };
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => {
            payload.downcast::<&'static str>().map_or_else(|_| String::new(), |text| text.to_string())
        }
    }
}
