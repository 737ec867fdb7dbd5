//! The counterpart of `system/saved.rs` without the feature `serde`: no [`Local`](super::Local) is
//! saved.

use super::StateParts;
use super::local::LocalState;

/// The functions that save and load the value: none.
pub(super) type SavingCode<T> = core::marker::PhantomData<fn() -> T>;

/// The types that a [`Local`](super::Local) can hold in systems of world `W`: without the feature
/// `serde`, all types.
pub trait LocalOf<W>: Sized {
    #[doc(hidden)]
    const CODE: core::marker::PhantomData<fn() -> Self> = core::marker::PhantomData;
}
impl<T, W> LocalOf<W> for T {}

impl<T: Send + Sync + 'static> StateParts for LocalState<T> {}
