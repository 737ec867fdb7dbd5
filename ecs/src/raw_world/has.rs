//! The traits that `world!` implements for each component, resource and event: the address of its field. [`WorldCell`](super::WorldCell)
//! relies on them.
#![expect(unsafe_code, reason = "declares the traits by which fields are reached")]

use super::RawWorld;
use crate::base::typeset::ConstIndex;
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::entity::Entity;
use crate::event::{Bound, Events};
use crate::storage::column::Column;
use crate::storage::column_offset::{ColumnOffset, Mark};

/// A world that stores component `T`.
///
/// `world!` implements this trait for every component that it lists. Code that is generic over the world uses it as a bound.
///
/// # Safety
/// No two `INDEX`es of a world are equal, and all are below `W::COMPONENTS.len()`. `__column_ptr` returns always the address of the same
/// field of the world, which no other implementation of this trait for the world returns. `T` is [`ThreadSafe`](crate::component::ThreadSafe): queries
/// lend values to several threads, and have no other bound than this trait.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no component `{T}`",
    label = "`{T}` is not a component of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `components {{ {T} }}`; code that is generic over its world needs the bound `{Self}: Has<{T}>`, or `HasMut<{T}>` to change it",
    note = "a system takes a resource as `Res<{T}>`, an event as `EventReader<{T}>`, an aspect or a bundle as its components, a relation with many targets as `Many<{T}>`"
)]
pub unsafe trait Has<T: 'static>: RawWorld {
    /// The index of the component in [`World::COMPONENTS`](crate::World::COMPONENTS).
    const INDEX: usize = Self::TypeIndex::INDEX;
    #[doc(hidden)]
    type TypeIndex: ConstIndex;
    #[doc(hidden)]
    type Kind: WorldKind<Self>;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world that is not dropped.
    unsafe fn __column_ptr(this: *mut Self) -> *mut Column<T>;
}

/// A world that has the resource `R`. `world!` implements it for every resource that it lists.
///
/// # Safety
/// No two `INDEX`es of a world are equal, and all are below `W::RESOURCES.len()`. `__resource_ptr` returns always the address of the
/// same field of the world, which no other implementation returns. `R` is [`ThreadSafe`](crate::component::ThreadSafe), unless
/// `MAIN_THREAD` is true; then the world is neither `Send` nor `Sync` unless `R` is.
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
    /// Whether the resource has `#[resource(tracked)]`.
    #[doc(hidden)]
    const TRACKED: bool = false;
    /// Whether the resource has `#[resource(main_thread)]`: only the thread that has the world accesses it.
    #[doc(hidden)]
    const MAIN_THREAD: bool = false;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world that is not dropped.
    unsafe fn __resource_ptr(this: *mut Self) -> *mut R;
}

/// A world in which event `E` can be sent. Implemented by `world!`.
///
/// # Safety
/// `INDEX` is the position of `E` in the world's list of events, and `__events_ptr` returns the address of a field of the world that
/// belongs to `E` only. `E` is [`ThreadSafe`](crate::component::ThreadSafe).
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no event `{E}`",
    label = "`{E}` is not an event of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `events {{ {E} }}`, with `#[derive(Event)]` on the type"
)]
pub unsafe trait HasEvent<E: 'static>: RawWorld {
    /// The position of the event in the world's list.
    const INDEX: usize;
    /// The bound of the event's queue, as the world declares it.
    #[doc(hidden)]
    const BOUND: Bound = Bound::DEFAULT;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __events_ptr(this: *mut Self) -> *mut Events<E>;
}

/// Computes the offset of a column in its world.
///
/// # Safety
/// `column` points to a field of the world that `world` points to. The memory may be uninitialised.
pub const unsafe fn column_offset<W: Has<T>, T: 'static>(
    world: *const W,
    column: *const Column<T>,
) -> ColumnOffset {
    let mark = match <W::Kind as WorldKind<W>>::MARK {
        Some(component) => Some(Mark { component, give: mark::<W, T> }),
        None => None,
    };
    // SAFETY: by the caller's contract both point into one world, and the address of a field is not below that of its struct.
    let bytes = unsafe { column.byte_offset_from_unsigned(world) };
    ColumnOffset::new::<T, W::Kind>(bytes, <W::Kind as WorldKind<W>>::EXCLUSION, mark)
}

/// Adds the component that relation `T` marks with: the function of [`Mark::give`].
///
/// # Safety
/// The contract of [`Mark::give`].
unsafe fn mark<W: Has<T>, T: 'static>(world: *mut (), entity: Entity) {
    // SAFETY: by the contract of `Mark::give` this is the address of a `W` that is borrowed mutably.
    let world = unsafe { &mut *world.cast::<W>() };
    <W::Kind as WorldKind<W>>::mark(&mut RequiredInserter::new(world, entity));
}
