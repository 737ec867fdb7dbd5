//! Resources: data of the world that belongs to no entity.
#![expect(unsafe_code, reason = "declares the trait by which fields are reached")]

use crate::thread_safe::ThreadSafe;
use crate::world::World;

/// Data that a world has exactly once. Derived: `#[derive(Resource)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "add `#[derive(Resource)]` to `{Self}`; a type of another crate needs a newtype"
)]
pub trait Resource: Sized + ThreadSafe {
    /// The type's own name.
    const NAME: &'static str;
}

/// Whether [`Resource`] was derived: the bound that `world!` asks for. It has no supertrait: `world!` asks for [`ThreadSafe`]
/// apart, so that each mistake has one message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "add `#[derive(Resource)]` to `{Self}`; a type of another crate needs a newtype"
)]
pub trait IsResource {
    /// Named by `world!`, which asks for the bound.
    const DERIVED: () = ();
}

/// A world that holds resource `R`. Implemented by `world!`.
///
/// # Safety
/// As for [`Has`](crate::Has): one index and one field for each type, which is no other's, and `R` is [`ThreadSafe`].
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no resource `{R}`",
    label = "`{R}` is not a resource of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `resources {{ name: {R} }}`, with `#[derive(Resource)]` on the type",
    note = "if `{R}` is a component, ask for it with `&{R}` or in a `Query`"
)]
pub unsafe trait HasResource<R: 'static>: World {
    /// The place of the resource in the world's list.
    const INDEX: usize;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __resource_ptr(this: *mut Self) -> *mut R;
}
