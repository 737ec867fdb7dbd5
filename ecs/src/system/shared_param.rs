//! [`SharedParam`]: the parameters that the threads of a system marked `par` can share.
#![expect(unsafe_code, reason = "items are shared by several threads")]

use super::{Res, SystemParam};
use crate::query::{Query, QueryData, QueryFilter, ReadData};
use crate::raw_world::RawWorld;
use crate::resource::{HasResource, Unshared};

/// A parameter that the threads of a system marked `par` can share.
///
/// # Safety
/// The item that `share` returns only reads, and several threads may use such items at once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared by the threads of a system that is marked `par`",
    label = "the threads cannot share it",
    note = "beside its entities such a system takes `Res<T>` of a resource that is not `#[resource(shared)]`, and `Query<..>` that only reads; for what is collected or deferred, leave `par` out"
)]
pub unsafe trait SharedParam<W: RawWorld>: SystemParam<W> {
    /// The parameter, borrowed for one call of the system's function.
    fn share<'a>(item: &'a Self::Item<'_>) -> Self::Item<'a>;
}

/// The item of a [`SharedParam`] while several threads use it.
pub struct SharedParamItem<T>(T);

// SAFETY: by the contract of `new` the value is used only for `SharedParam::share`, which several threads may call at once.
unsafe impl<T> Sync for SharedParamItem<T> {}

impl<T> SharedParamItem<T> {
    /// Wraps an item, to be shared between threads.
    ///
    /// # Safety
    /// The value is the item of a [`SharedParam`], and is used only for [`SharedParam::share`].
    #[inline(always)]
    pub const unsafe fn new(item: T) -> Self {
        Self(item)
    }

    /// The parameter.
    #[inline(always)]
    pub const fn get(&self) -> &T {
        &self.0
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: `Res` is a shared reference to a resource, which is `Sync` by the contract of `HasResource`.
unsafe impl<R: Unshared + 'static, W: HasResource<R>> SharedParam<W> for Res<'_, R> {
    fn share<'a>(item: &'a Res<'_, R>) -> Res<'a, R> {
        *item
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: the query gives ids and shared references to components, which are `Sync` by the contract of `Has`.
unsafe impl<W: RawWorld, D: QueryData<W> + ReadData, F: QueryFilter<W>> SharedParam<W> for Query<'_, D, F> {
    fn share<'a>(item: &'a Query<'_, D, F>) -> Query<'a, D, F> {
        item.copy()
    }
}
