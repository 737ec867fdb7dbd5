//! The kinds of components that are replaced and never changed in place.

use crate::component::guard::Guarded;
use crate::component::kind::Tracks;
use crate::component::requires::Requiring;
use crate::component::{Logged, Tag, Tracked, TrackedTag, Value};

/// A component with a value that is lent shared only.
pub struct Fixed;

/// The same, of which it is known when it was added and replaced.
pub struct TrackedFixed;

/// A kind of component whose values may be changed where they are.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: `{T}` is a relation, which is replaced and never changed in place, so that both of its ends stay known",
    label = "a relation cannot be borrowed mutably",
    note = "replace it: `insert` it again, or `relate`, which also adds an edge to a `Many` or replaces one of its edges",
    note = "code that is generic over its world asks for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait InPlace<T: ?Sized> {}
impl<T: ?Sized> InPlace<T> for Value {}
impl<T: ?Sized> InPlace<T> for Tag {}
impl<T: ?Sized> InPlace<T> for Tracked {}
impl<T: ?Sized> InPlace<T> for TrackedTag {}
impl<T: ?Sized, K: InPlace<T>, const MOST: usize> InPlace<T> for Logged<K, MOST> {}
#[diagnostic::do_not_recommend]
impl<T: ?Sized, G, K: InPlace<T>> InPlace<T> for Guarded<G, K> {}
#[diagnostic::do_not_recommend]
impl<T: ?Sized, R, K: InPlace<T>> InPlace<T> for Requiring<R, K> {}

/// A kind of component that is tracked, and whose values may be changed where they are. What is not tracked at all is told
/// so by [`Tracks`]; what is left is a relation.
#[diagnostic::on_unimplemented(
    message = "`Mut<{T}>`: a relation is replaced and never changed in place, so that both of its ends stay known",
    label = "asks for a tracked component that is no relation",
    note = "replace it: `insert` it again, or `relate`, which also adds an edge to a `Many` or replaces one of its edges",
    note = "code that is generic over its world asks for `HasTracked<{T}>` instead of `Has<{T}>`"
)]
pub trait Marks<T: ?Sized>: Tracks<T> {}
impl<T: ?Sized> Marks<T> for Value where Self: Tracks<T> {}
impl<T: ?Sized> Marks<T> for Tag where Self: Tracks<T> {}
impl<T: ?Sized> Marks<T> for Tracked {}
impl<T: ?Sized> Marks<T> for TrackedTag {}
impl<T: ?Sized, K: Marks<T>, const MOST: usize> Marks<T> for Logged<K, MOST> {}
#[diagnostic::do_not_recommend]
impl<T: ?Sized, G, K: Marks<T>> Marks<T> for Guarded<G, K> {}
#[diagnostic::do_not_recommend]
impl<T: ?Sized, R, K: Marks<T>> Marks<T> for Requiring<R, K> {}
