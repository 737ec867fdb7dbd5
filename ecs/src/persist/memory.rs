//! The limit of the memory that a file may take: each load has an allowance, and every allocation
//! for the file is charged to the allowance first.
//!
//! The allowance belongs to the thread for as long as it loads: values, columns and states are read
//! through types that could not hand it on. A load within a load (by a `Deserialize` that loads a
//! world) has an allowance of its own, unless the inner file is a part of the outer one.

use core::cell::Cell;
use core::fmt;

/// The allowance of a file without bytes.
const LEAST: u64 = 64 << 20;

/// The allowance grows by this for each byte of the file.
pub(crate) const FOR_A_BYTE: u64 = 64;

#[derive(Clone, Copy)]
struct Allowance {
    most: u64,
    taken: u64,
    /// Whether the allowance grows with what is read, since neither a limit nor the length of the
    /// file is known.
    follows: bool,
}

std::thread_local! {
    static ALLOWANCE: Cell<Option<Allowance>> = const { Cell::new(None) };
    /// Whether the next load takes from the allowance of the load in which it is.
    static IS_PART: Cell<bool> = const { Cell::new(false) };
}

/// The error of a file that would take more memory than it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooMuch {
    wanted: u64,
    most: u64,
}

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wanted, most } = self;
        write!(
            f,
            "too much memory: the file asks for {wanted} bytes or more, and {most} are allowed; `LoadOptions::memory`, or `Prefabs::memory` of a prefab, sets another limit"
        )
    }
}

/// Calls `f` with an allowance: of `limit` bytes, or in proportion to a file of `length` bytes. A
/// length of 0 is not known: the allowance grows with what [is read](was_read).
pub(crate) fn limited<R>(limit: Option<u64>, length: usize, f: impl FnOnce() -> R) -> R {
    /// Restores the allowance of the outer load, also after a panic.
    struct Before(Option<Allowance>);
    impl Drop for Before {
        fn drop(&mut self) {
            ALLOWANCE.set(self.0);
        }
    }
    if IS_PART.take() && ALLOWANCE.get().is_some() {
        return f();
    }
    let most = limit.unwrap_or_else(|| LEAST.saturating_add(FOR_A_BYTE.saturating_mul(length as u64)));
    let new = Allowance { most, taken: 0, follows: limit.is_none() && length == 0 };
    let _before = Before(ALLOWANCE.replace(Some(new)));
    f()
}

/// Calls `f`, which loads a part of the file that is being loaded: it takes from the same
/// allowance.
pub(crate) fn of_outer<R>(f: impl FnOnce() -> R) -> R {
    struct Before;
    impl Drop for Before {
        fn drop(&mut self) {
            IS_PART.set(false);
        }
    }
    IS_PART.set(true);
    let _before = Before;
    f()
}

/// Raises the allowance by that of `bytes` more, which were read of a file whose length is not
/// known.
pub(crate) fn was_read(bytes: usize) {
    if let Some(mut allowance) = ALLOWANCE.get().filter(|allowance| allowance.follows) {
        allowance.most = allowance.most.saturating_add(FOR_A_BYTE.saturating_mul(bytes as u64));
        ALLOWANCE.set(Some(allowance));
    }
}

/// Takes `bytes` of the allowance. Without a load, there is no limit.
#[cold]
#[inline(never)]
pub(crate) fn charge(bytes: u64) -> Result<(), TooMuch> {
    let Some(Allowance { most, taken, follows }) = ALLOWANCE.get() else { return Ok(()) };
    let wanted = taken.saturating_add(bytes);
    if wanted > most {
        return Err(TooMuch { wanted, most });
    }
    ALLOWANCE.set(Some(Allowance { most, taken: wanted, follows }));
    Ok(())
}

/// Charges the memory by which a column grows. Memory that the values own on the heap does not
/// count.
#[inline]
pub(crate) fn charge_growth(bytes: u64) -> Result<(), TooMuch> {
    if bytes == 0 { Ok(()) } else { charge(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charges_beyond_the_limit_are_refused() {
        assert_eq!(charge(u64::MAX), Ok(()));
        limited(Some(100), 1000, || {
            assert_eq!(charge(60), Ok(()));
            was_read(1000);
            // a load within the load
            assert_eq!(limited(Some(70), 0, || charge(70)), Ok(()));
            // a part of the same file, and a load within it
            assert_eq!(
                of_outer(|| limited(None, 0, || (charge(1), limited(None, 0, || charge(41))))),
                (Ok(()), Ok(()))
            );
            assert_eq!(charge(40), Err(TooMuch { wanted: 101, most: 100 }));
            assert_eq!(charge(39), Ok(()));
        });
        limited(None, 2, || {
            was_read(1);
            assert_eq!(charge(LEAST + 2 * FOR_A_BYTE + 1).map_err(|error| error.most), Err(LEAST + 128));
        });
        limited(None, 0, || {
            was_read(2);
            assert_eq!(charge(LEAST + 2 * FOR_A_BYTE + 1).map_err(|error| error.most), Err(LEAST + 128));
            was_read(1);
            assert_eq!(charge(LEAST + 3 * FOR_A_BYTE), Ok(()));
            assert_eq!(charge(u64::MAX).map_err(|error| error.wanted), Err(u64::MAX));
        });
        assert_eq!(charge(u64::MAX), Ok(()));
    }
}
