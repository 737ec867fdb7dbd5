//! Resources: data of the world that belongs to no entity.
#![expect(unsafe_code, reason = "declares the trait by which fields are reached")]

use core::marker::PhantomData;

use crate::thread_safe::ThreadSafe;
use crate::world::World;

/// Data that a world has exactly once. Derived: `#[derive(Resource)]`.
///
/// # Interior mutability
/// Systems that take `Res<R>` run at the same time. If they could change the resource through it, the result would depend on
/// which of them comes first. So the derive refuses a field whose type names a `Mutex`, an `RwLock`, a `OnceLock`, an atomic,
/// or a well known concurrent collection: hold the value itself, and change it through [`ResMut`](crate::ResMut).
///
/// Where it must be, since another library asks for it or threads outside of the world have the same `Arc`, write
/// `#[resource(shared)]`. A system that takes `Res` of such a resource counts as one that changes it: such systems run one
/// after the other, in the order of the text, and the result is the same for any number of threads. What threads outside of
/// the world do to it is not the library's business.
///
/// The derive sees the names of types, not what is in them. A type of your own with a `Mutex` inside, or a channel, goes by
/// unseen: write `#[resource(shared)]` on the resource that holds it.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// use ecs::prelude::*;
///
/// #[derive(Resource, Default)]
/// #[resource(shared)]
/// struct NextNumber(AtomicU32);
/// #[derive(Resource, Default)]
/// struct Given { first: u32, second: u32 }
///
/// world! { struct Game { resources { NextNumber, Given } } schedule tick { take, take_too } }
///
/// #[system(Game)]
/// fn take(next: Res<NextNumber>, mut given: ResMut<Given>) { given.first = next.0.fetch_add(1, Ordering::Relaxed); }
/// #[system(Game)]
/// fn take_too(next: Res<NextNumber>, mut given: ResMut<Given>) { given.second = next.0.fetch_add(1, Ordering::Relaxed); }
///
/// let mut game = Game::default();
/// game.tick();
/// assert_eq!((game.resource::<Given>().first, game.resource::<Given>().second), (0, 1));
/// ```
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

/// A resource that is not `#[resource(shared)]`: nothing of it is changed through `Res`. Nothing relies on it but the order in
/// which systems run.
pub trait Unshared {}

/// Whether a resource is shared: asked of a type of which it is not known that it is a resource at all.
pub struct Sharing<R>(PhantomData<fn() -> R>);

impl<R: Unshared> Sharing<R> {
    /// It is not.
    pub const SHARED: bool = false;
}

/// What the compiler finds if a resource is not [`Unshared`].
pub trait SharedUnlessSaid {
    /// It is.
    const SHARED: bool = true;
}

impl<R> SharedUnlessSaid for Sharing<R> {}

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
    /// Whether it is `#[resource(shared)]`.
    #[doc(hidden)]
    const SHARED: bool = false;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __resource_ptr(this: *mut Self) -> *mut R;
}
