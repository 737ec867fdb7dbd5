//! The kinds of components that are replaced and never changed in place.

use crate::component::kind::{AnyKind, IndexedValue, KeyValue, Tracks};
use crate::component::{Tag, Tracked, TrackedTag, Value};

/// A component with a value that is lent shared only.
pub struct Immutable;

/// The same, of which it is known when it was added and replaced.
pub struct TrackedImmutable;

/// A kind of component whose values may be changed where they are.
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
impl<T: ?Sized> NotRelation<T> for AnyKind {}

/// A kind of component that is tracked, and whose values may be changed where they are. What is not tracked at all is told
/// so by [`Tracks`]; what is left is a relation.
#[diagnostic::on_unimplemented(
    message = "`Mut<{T}>`: a relation is replaced and never changed in place, so that both of its ends stay known",
    label = "asks for a tracked component that is no relation",
    note = "replace it: `insert` it again, or `relate`, which also adds an edge to a `Many` or replaces one of its edges",
    note = "code that is generic over its world asks for `HasTracked<{T}>` instead of `Has<{T}>`"
)]
pub trait MutableTracked<T: ?Sized>: Tracks<T> {}
impl<T: ?Sized> MutableTracked<T> for Value where Self: Tracks<T> {}
impl<T: ?Sized> MutableTracked<T> for Tag where Self: Tracks<T> {}
impl<T: ?Sized> MutableTracked<T> for AnyKind {}
impl<T: ?Sized> MutableTracked<T> for Tracked {}
impl<T: ?Sized> MutableTracked<T> for TrackedTag {}
impl<T: ?Sized> MutableTracked<T> for IndexedValue {}
impl<T: ?Sized> MutableTracked<T> for KeyValue where Self: Tracks<T> {}
