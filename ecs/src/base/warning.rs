//! Warnings about a running world: on the standard error, or with the feature `trace` as warnings of the `tracing` crate.
//!
//! Without the features `std` and `trace` there is nowhere to write them.

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
