//! Warnings about a running world, written to the standard error, or with the feature `trace` as
//! warnings of the `tracing` crate.
//!
//! Without the features `std` and `trace` warnings are dropped.

use core::fmt::Arguments;

/// Writes a warning.
#[cfg(feature = "trace")]
pub(crate) fn warn(text: Arguments<'_>) {
    tracing::warn!("{text}");
}

/// Writes a warning.
#[cfg(all(feature = "std", not(feature = "trace")))]
pub(crate) fn warn(text: Arguments<'_>) {
    std::eprintln!("{text}");
}

/// Writes a warning.
#[cfg(not(any(feature = "std", feature = "trace")))]
pub(crate) fn warn(_: Arguments<'_>) {}
