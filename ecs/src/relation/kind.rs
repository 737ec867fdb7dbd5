//! The kinds of components that are replaced and never changed in place.

use crate::component::guard::Guarded;
use crate::component::requires::Requiring;
use crate::component::{Logged, Tag, Tracked, TrackedTag, Value};

/// A component with a value that is lent shared only.
pub struct Fixed;

/// The same, of which it is known when it was added and replaced.
pub struct TrackedFixed;

/// A kind of component whose values may be changed where they are.
#[diagnostic::on_unimplemented(
    message = "`{T}` is a relation: it is replaced, and never changed in place, so that both of its ends stay known",
    label = "a relation cannot be borrowed mutably",
    note = "replace it: `insert` it again, or `relate`, which also adds an edge to a `Many` or replaces one of its edges",
    note = "read it as `&{T}`"
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
