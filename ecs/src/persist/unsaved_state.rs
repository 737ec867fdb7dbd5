//! The trait of saved states without the feature `serde`.

/// A part of a system's state that is saved: every state, since nothing is saved without the
/// feature `serde`.
pub trait SavedState: Send + Sync {}
impl<T: Send + Sync> SavedState for T {}
