//! Values that blow up when told to: panics in `Drop`, `Clone`, `Default` and iterators.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Lets the `n`-th call of [`burn`] from now on, counted from one, panic.
pub fn arm(n: u32) {
    LEFT.set(Some(n));
}

/// Lets no call of [`burn`] panic.
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

/// Runs `f` with the fuse armed; whether it panicked. The fuse is out afterwards.
pub fn blows_up<R>(n: u32, f: impl FnOnce() -> R) -> bool {
    arm(n);
    let blown = catch_unwind(AssertUnwindSafe(f)).is_err();
    disarm();
    blown
}

/// What a panic of `f` says.
///
/// # Panics
/// If `f` does not.
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
