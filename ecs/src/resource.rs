//! Resources: values of the world that do not belong to an entity.

use core::marker::PhantomData;

use crate::base::thread_safe::{NoType, ThreadSafe, Unimplemented, check_alignment};
pub use crate::raw_world::HasResource;

/// A type of which a world has exactly one value. Implemented with `#[derive(Resource)]`.
///
/// # Locks and atomics
/// Systems that take `Res<R>` may run in parallel. If they could change the resource through it,
/// the result would depend on the order in which they run. Therefore the derive refuses a field
/// whose type names a `Mutex`, an `RwLock`, a `OnceLock`, an atomic, or a well known concurrent
/// collection. Store the value without the lock, and change it through [`ResMut`](crate::ResMut).
///
/// If the lock or the atomic is needed, since another library requires it or threads outside of the
/// world share the same `Arc`, write `#[resource(shared)]`. A system that takes `Res` of such a
/// resource counts as a writer: such systems run one after the other, in the order of the text, and
/// the result is the same for any number of threads. The library does not order the changes that
/// threads outside of the world make.
///
/// The derive sees the names of types, not their fields. It does not notice a channel, or a type of
/// your own with a `Mutex` inside: write `#[resource(shared)]` on the resource that holds it.
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
///
/// # Values that stay on one thread
/// A resource with `#[resource(main_thread)]` need not be `Send` and `Sync`: the handle of a
/// window, an audio stream, an `Rc`. A world that lists one is neither `Send` nor `Sync` itself,
/// unless the type is, so that it stays on the thread that created it. Systems and conditions that
/// use the resource, by [`Res`](crate::Res) or [`ResMut`](crate::ResMut), run on the thread that
/// runs the schedule, one after the other in the order of the text; other systems of the stage run
/// beside them on other threads. A system that is marked `par` cannot use it. Clones and snapshots
/// of the world clone the resource as any other; a saved world needs `skip`, or a value that can be
/// serialized.
///
/// ```
/// use std::cell::RefCell;
/// use std::rc::Rc;
///
/// use ecs::prelude::*;
///
/// #[derive(Resource, Default)]
/// #[resource(main_thread)]
/// struct Screen(Rc<RefCell<Vec<String>>>);
/// #[derive(Component)]
/// struct Position(i32);
///
/// world! { struct Game { components { Position } resources { Screen } } schedule frame { walk; draw } }
///
/// #[system(Game)]
/// fn walk(position: &mut Position) { position.0 += 1; }
/// #[system(Game)]
/// fn draw(positions: Query<&Position>, screen: Res<Screen>) {
///     screen.0.borrow_mut().extend(positions.iter().map(|position| format!("at {}", position.0)));
/// }
///
/// let mut game = Game::default();
/// let screen = game.resource::<Screen>().0.clone();
/// game.spawn(Position(6));
/// game.frame();
/// assert_eq!(*screen.borrow(), ["at 7"]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "add `#[derive(Resource)]` to `{Self}`; a type of another crate needs a newtype"
)]
pub trait Resource: Sized + 'static {
    /// The name of the type, without its path.
    const RESOURCE_NAME: &'static str;
}

/// A type with `#[derive(Resource)]`.
///
/// The trait has no supertrait. `world!` has a separate bound for [`ThreadSafe`], so that each
/// mistake gives one message.
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

/// A resource without `#[resource(shared)]`, which systems cannot change through `Res`. The trait
/// affects only the order in which systems run, and not soundness.
#[doc(hidden)]
pub trait Unshared {}

/// A resource with `#[resource(main_thread)]`, which need not be `Send` and `Sync`. A wrong
/// implementation makes systems run on one thread that could run on several.
#[doc(hidden)]
pub trait MainThread {}

/// A resource that a world can store. Implemented with `MAIN_THREAD = false` for types that are
/// `Send` and `Sync`, and with `true` for all types, since a resource with
/// `#[resource(main_thread)]` need not be either.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored in a world: it is not `Send` and `Sync`, and systems may run on several threads",
    label = "a field is not `Send` and `Sync`",
    note = "if the value has to stay on its thread, such as the handle of a window, write `#[resource(main_thread)]` on `{Self}`: systems that use it run on the thread that runs the schedule",
    note = "otherwise replace the field: an `Rc` by an `Arc`, a `Cell` or `RefCell` by a plain field, a raw pointer by an index or an `Entity`, a `Box<dyn Trait>` by a `Box<dyn Trait + Send + Sync>`"
)]
pub trait StoredResource<const MAIN_THREAD: bool>: sealed::Storable<MAIN_THREAD> {}
impl<R: ThreadSafe> StoredResource<false> for R {}
impl<R: 'static> StoredResource<true> for R {}
// This impl applies to no type, and exists for the message only: see `ThreadSafe`.
impl<R: StoredResource<false>> StoredResource<false> for R where for<'a> &'a NoType: Unimplemented {}

mod sealed {
    use super::ThreadSafe;

    /// The supertrait of [`StoredResource`](super::StoredResource), which other crates cannot name:
    /// by an implementation of their own they could store a type that is not `Send` in a world that
    /// is.
    pub trait Storable<const MAIN_THREAD: bool> {}
    impl<R: ThreadSafe> Storable<false> for R {}
    impl<R: 'static> Storable<true> for R {}
}

/// Fails to compile if a world cannot store the resource `R`; called by the expansion of `world!`.
#[doc(hidden)]
#[track_caller]
pub const fn check_resource<R: StoredResource<MAIN_THREAD>, const MAIN_THREAD: bool>() {
    check_alignment::<R>();
}

/// A resource with `#[resource(tracked)]`: the world records the tick of its last change.
///
/// [`Res`](crate::Res) and [`ResMut`](crate::ResMut) tell whether the resource changed since the
/// last run of the system, and
/// [`resource_changed_since`](crate::query::ChangesSince::resource_changed_since) whether it
/// changed after a [`Tick`](crate::system::Tick).
///
/// A mutable borrow through [`ResMut`](crate::ResMut) is a change, and a read through it is not.
/// [`World::resource_mut`](crate::World::resource_mut) is a change by itself. In a new world every
/// resource counts as changed. A change behind the [`Res`](crate::Res) of a shared resource, and a
/// write to the world's field in the module of the world, are not recorded.
///
/// Clones and snapshots contain the tick, and [`restore`](crate::World::restore) sets it back. A
/// save has the value only, since the tick would make the option a part of the format: in a loaded
/// world every tracked resource counts as changed at the tick of the file, so that each system sees
/// one change. The tick is no part of the hash.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Resource, Default)]
/// #[resource(tracked)]
/// struct Settings { volume: u32 }
/// #[derive(Resource, Default)]
/// struct Log(Vec<u32>);
///
/// world! {
///     struct Game { resources { Settings, Log } }
///     schedule tick { watch if are_new }
/// }
///
/// /// A condition that runs a system only after a change.
/// #[system(Game)]
/// fn are_new(settings: Res<Settings>) -> bool { settings.is_changed() }
/// #[system(Game)]
/// fn watch(settings: Res<Settings>, mut log: ResMut<Log>) { log.0.push(settings.volume); }
///
/// let mut game = Game::default();
/// game.tick();
/// game.tick();
/// let seen = game.advance_tick();
/// game.resource_mut::<Settings>().volume = 7;
/// assert!(game.resource_changed_since::<Settings>(seen));
/// game.tick();
/// game.tick();
/// assert_eq!(game.resource::<Log>().0, [0, 7]);
/// ```
#[diagnostic::on_unimplemented(
    message = "resource `{Self}` is not tracked: the world does not record when it changes",
    label = "needs a tracked resource",
    note = "add `#[resource(tracked)]` to `{Self}`, below `#[derive(Resource)]`"
)]
pub trait TrackedResource {}

/// Computes from its derive whether a type is a shared or a tracked resource. The type need not be
/// a resource.
#[doc(hidden)]
pub struct Sharing<R>(PhantomData<fn() -> R>);

impl<R: Unshared> Sharing<R> {
    /// `false`: this inherent constant exists for [`Unshared`] resources, and hides that of the
    /// trait.
    pub const SHARED: bool = false;
}

impl<R: TrackedResource> Sharing<R> {
    /// `true`: this inherent constant exists for [`TrackedResource`]s, and hides that of the trait.
    pub const TRACKED: bool = true;
}

impl<R: MainThread> Sharing<R> {
    /// `true`: this inherent constant exists for [`MainThread`] resources, and hides that of the
    /// trait.
    pub const MAIN_THREAD: bool = true;
}

/// Provides the constants that the compiler finds for a resource whose derive does not say
/// otherwise.
#[doc(hidden)]
pub trait UnlessSaid {
    /// `true`, for a resource that is not [`Unshared`].
    const SHARED: bool = true;
    /// `false`, for a resource that is not a [`TrackedResource`].
    const TRACKED: bool = false;
    /// `false`, for a resource that is not a [`MainThread`] resource.
    const MAIN_THREAD: bool = false;
}

impl<R> UnlessSaid for Sharing<R> {}
