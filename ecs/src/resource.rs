//! Resources: values of the world that do not belong to an entity.
#![expect(unsafe_code, reason = "declares the trait by which fields are reached")]

use core::marker::PhantomData;

use crate::base::thread_safe::ThreadSafe;
use crate::raw_world::RawWorld;

/// A type of which a world has exactly one value. Implemented with `#[derive(Resource)]`.
///
/// # Locks and atomics
/// Systems that take `Res<R>` may run in parallel. If they could change the resource through it, the result would depend on the
/// order in which they run. Therefore the derive refuses a field whose type names a `Mutex`, an `RwLock`, a `OnceLock`, an atomic,
/// or a well known concurrent collection. Store the value without the lock, and change it through [`ResMut`](crate::ResMut).
///
/// If the lock or the atomic is needed, since another library requires it or threads outside of the world share the same
/// `Arc`, write `#[resource(shared)]`. A system that takes `Res` of such a resource counts as a writer: such systems
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
    /// The name of the type, without its path.
    const RESOURCE_NAME: &'static str;
}

/// A type with `#[derive(Resource)]`.
///
/// The trait has no supertrait. `world!` has a separate bound for [`ThreadSafe`], so that each mistake gives one message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "add `#[derive(Resource)]` to `{Self}`; a type of another crate needs a newtype"
)]
#[doc(hidden)]
pub trait IsResource {
    /// Named by `world!`, which checks the bound in this way.
    const DERIVED: () = ();
}

/// A resource without `#[resource(shared)]`, which systems cannot change through `Res`. The trait affects only the order in which
/// systems run, and not soundness.
#[doc(hidden)]
pub trait Unshared {}

/// Computes whether a type is a shared resource. The type need not be a resource.
#[doc(hidden)]
pub struct Sharing<R>(PhantomData<fn() -> R>);

impl<R: Unshared> Sharing<R> {
    /// `false`: this inherent constant exists for [`Unshared`] resources, and hides that of the trait.
    pub const SHARED: bool = false;
}

/// Provides the constant that the compiler finds for a resource that is not [`Unshared`].
#[doc(hidden)]
pub trait SharedUnlessSaid {
    /// `true`.
    const SHARED: bool = true;
}

impl<R> SharedUnlessSaid for Sharing<R> {}

/// A world that has the resource `R`. `world!` implements it for every resource that it lists.
///
/// # Safety
/// No two `INDEX`es of a world are equal, and all are below `W::RESOURCES.len()`. `__resource_ptr` returns always the address of the
/// same field of the world, which no other implementation returns. `R` is [`ThreadSafe`].
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no resource `{R}`",
    label = "`{R}` is not a resource of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `resources {{ name: {R} }}`, with `#[derive(Resource)]` on the type",
    note = "if `{R}` is a component, ask for it with `&{R}` or in a `Query`"
)]
pub unsafe trait HasResource<R: 'static>: RawWorld {
    /// The index of the resource in [`World::RESOURCES`](crate::World::RESOURCES).
    const INDEX: usize;
    /// Whether the resource has `#[resource(shared)]`.
    #[doc(hidden)]
    const SHARED: bool = false;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world that is not dropped.
    unsafe fn __resource_ptr(this: *mut Self) -> *mut R;
}
