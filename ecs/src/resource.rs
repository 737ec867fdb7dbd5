//! Resources: data of the world that belongs to no entity.
#![expect(unsafe_code, reason = "declares the trait by which fields are reached")]

use core::marker::PhantomData;

use crate::base::thread_safe::ThreadSafe;
use crate::world::World;

/// Data that a world has exactly once. Derived: `#[derive(Resource)]`.
///
/// # Interior mutability
/// # Locks and atomics
/// Systems that take `Res<R>` run at the same time. If they could change the resource through it, the result would depend on
/// which of them comes first. So the derive refuses a field whose type names a `Mutex`, an `RwLock`, a `OnceLock`, an atomic,
/// or a well known concurrent collection. Hold the value itself, and change it through [`ResMut`](crate::ResMut).
///
/// Where the lock or the atomic is needed, since another library asks for it or threads outside of the world share the same
/// `Arc`, write `#[resource(shared)]`. A system that takes `Res` of such a resource counts as one that changes it: such systems
/// run one after the other, in the order of the text, and the result is the same for any number of threads. The library does
/// not order the changes that threads outside of the world make.
///
/// The derive sees the names of types, not their fields. It does not notice a channel, or a type of your own with a `Mutex`
/// inside: write `#[resource(shared)]` on the resource that holds it.
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
    const RESOURCE_NAME: &'static str;
}

/// A type with `#[derive(Resource)]`. The trait has no supertrait: `world!` asks for [`ThreadSafe`] apart, so that each mistake has
/// one message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "add `#[derive(Resource)]` to `{Self}`; a type of another crate needs a newtype"
)]
pub trait IsResource {
    /// Named by `world!`, which asks for the bound.
    const DERIVED: () = ();
}

/// A resource without `#[resource(shared)]`, which does not change through `Res`. Only the order in which systems run depends on
/// this trait.
pub trait Unshared {}

/// Tells whether a resource is shared, of a type that may not be a resource at all.
pub struct Sharing<R>(PhantomData<fn() -> R>);

impl<R: Unshared> Sharing<R> {
    /// Not shared: the inherent constant, which exists for [`Unshared`] resources.
    pub const SHARED: bool = false;
}

/// The constant that the compiler finds where the resource is not [`Unshared`].
pub trait SharedUnlessSaid {
    /// Shared.
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
