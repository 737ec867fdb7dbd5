//! The trait of saved states without the feature `serde`.

/// A part of a system's state that is saved: nothing is saved without the feature `serde`.
pub trait SavedState: Send + Sync {}
