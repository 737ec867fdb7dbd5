//! The kinds of components whose values are replaced and never changed in place: relations.

use crate::component::kind::{AnyKind, IndexedValue, KeyValue, Tracks};
use crate::component::{Tag, Tracked, TrackedTag, Value};

/// A component whose values are borrowed shared only.
pub struct Immutable;

/// An [`Immutable`] component with change ticks: when a value was added, and when it was last replaced.
pub struct TrackedImmutable;

/// A kind of component whose values may be changed in place, as those of relations may not.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: `{T}` is a relation, which is replaced and never changed in place, so that both of its ends stay known",
    label = "a relation cannot be borrowed mutably",
    note = "replace it: `insert` it again, or `relate`, which also adds an edge to a `Many` or replaces one of its edges",
    note = "code that is generic over its world asks for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait NotRelation<T: ?Sized> {}
impl<T: ?Sized> NotRelation<T> for Value {}
impl<T: ?Sized> NotRelation<T> for Tag {}
impl<T: ?Sized> NotRelation<T> for Tracked {}
impl<T: ?Sized> NotRelation<T> for TrackedTag {}
impl<T: ?Sized> NotRelation<T> for IndexedValue {}
impl<T: ?Sized> NotRelation<T> for KeyValue {}
#[diagnostic::do_not_recommend]
impl<T: ?Sized> NotRelation<T> for AnyKind {}

/// A kind of component that is tracked and whose values may be changed in place. The message is about relations, since the
/// message for untracked components is that of the supertrait [`Tracks`].
#[diagnostic::on_unimplemented(
    message = "`Mut<{T}>`: a relation is replaced and never changed in place, so that both of its ends stay known",
    label = "asks for a tracked component that is no relation",
    note = "replace it: `insert` it again, or `relate`, which also adds an edge to a `Many` or replaces one of its edges",
    note = "code that is generic over its world asks for `HasTracked<{T}>` instead of `Has<{T}>`"
)]
pub trait MutableTracked<T: ?Sized>: Tracks<T> {}
impl<T: ?Sized> MutableTracked<T> for Value where Self: Tracks<T> {}
impl<T: ?Sized> MutableTracked<T> for Tag where Self: Tracks<T> {}
#[diagnostic::do_not_recommend]
impl<T: ?Sized> MutableTracked<T> for AnyKind {}
impl<T: ?Sized> MutableTracked<T> for Tracked {}
impl<T: ?Sized> MutableTracked<T> for TrackedTag {}
impl<T: ?Sized> MutableTracked<T> for IndexedValue {}
impl<T: ?Sized> MutableTracked<T> for KeyValue where Self: Tracks<T> {}
