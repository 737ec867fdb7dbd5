//! Components, and which of them a world has.
#![expect(unsafe_code, reason = "declares the trait by which fields are reached")]

use crate::base::thread_safe::ThreadSafe;
use crate::base::type_identity::Identity;
use crate::base::typeset::Place;
use crate::component::immutable::MutableTracked;
use crate::storage::column::Column;
use crate::world::World;

pub(crate) mod column_offset;
pub(crate) mod excludes;
pub(crate) mod immutable;
pub(crate) mod index;
pub(crate) mod kind;
pub(crate) mod marking;
pub(crate) mod mistake;
pub(crate) mod name;
pub(crate) mod requires;
pub(crate) mod rule;
pub(crate) mod unique;
mod wrapping;

pub use index::{Found, IndexKey, Indexed};
use kind::{ChangedByMut, Logs, Tracks};
pub use kind::{Compatible, ComponentKind, Logged, LoggedValue, Tag, Tracked, TrackedTag, Value};
use mistake::NoMistake;
pub use name::{Name, StableId, StableIds};
pub use requires::Requirements;
pub use unique::HasUnique;

/// Data of an entity. Derived: `#[derive(Component)]`.
///
/// A world stores the components that its `components { .. }` section lists, each in a column of its own. A struct
/// without fields is a *tag*: it takes one bit for each entity. A component is `Send`, `Sync` and `'static`.
///
/// Systems that only read a component run at the same time. If they change it behind `&T`, through an atomic or a lock, the result
/// depends on which of them comes first, and neither change detection nor snapshots see the change. To change a component, take
/// `&mut T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component",
    note = "add `#[derive(Component)]` to `{Self}`; a type of another crate needs a one-field newtype"
)]
pub trait Component: Sized + IsComponent + ThreadSafe {
    /// The type's own name.
    const COMPONENT_NAME: &'static str = Self::__IDENTITY.name;
    /// Which type it is, for constants.
    #[doc(hidden)]
    const __IDENTITY: Identity = Identity::UNKNOWN;
    /// What the options of the derive make of it.
    #[doc(hidden)]
    type Kind: ComponentKind;
}

/// A type with `#[derive(Component)]`. The trait has no supertrait: `world!` asks for [`ThreadSafe`] apart, so that a type that is
/// not thread-safe is one error, where the world lists it, and not one at every use.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component",
    note = "add `#[derive(Component)]` to `{Self}`; a type of another crate needs a one-field newtype"
)]
pub trait IsComponent {}

/// A world that stores component `T`. Implemented for every component that the `world!` lists; the bound that generic code asks for.
///
/// # Safety
/// No two `INDEX`es of a world are equal, all are below `W::COMPONENTS.len()`, and `__column_ptr` gives the address
/// of one field of the world, always the same, that no other implementation of this trait gives. `T` is
/// [`ThreadSafe`]: queries lend values to several threads, and ask for no more than this trait.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no component `{T}`",
    label = "`{T}` is not a component of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `components {{ {T} }}`, with `#[derive(Component)]` on the type",
    note = "if `{T}` is a resource, a system takes it as `Res<{T}>` or `ResMut<{T}>`; an event, as `EventReader<{T}>` or `EventWriter<{T}>`"
)]
pub unsafe trait Has<T: 'static>: World {
    /// The place of the component in the world's list.
    const INDEX: usize = Self::Slot::INDEX;
    #[doc(hidden)]
    type Slot: Place;
    #[doc(hidden)]
    type Kind: requires::WorldKind<Self>;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __column_ptr(this: *mut Self) -> *mut Column<T>;
}

/// The `components { .. }` sections of all worlds. It implements [`ContainsComponent<T, W>`](ContainsComponent) for each component
/// `T` of a world `W`.
pub struct WorldComponents;

/// Component `T` is listed in world `W`: [`Has`], said of the list. `world!` implements this trait, and not `Has`, so that a type
/// that is no component can have a message of its own: see [`mistake`].
///
/// The trait belongs neither to the component nor to the world: if the type that lacks a trait is that of the bound which the user
/// sees, the compiler prints the message of that bound, and not of the one that is missing.
///
/// # Safety
/// As for [`Has`].
#[diagnostic::on_unimplemented(
    message = "world `{W}` has no component `{T}`",
    label = "`{T}` is not a component of `{W}`",
    note = "list it in the `world!` of `{W}`: `components {{ {T} }}`, with `#[derive(Component)]` on the type; if one of the two is a type parameter, ask for `{W}: Has<{T}>`, or for `{W}: HasMut<{T}>` to change it",
    note = "if `{T}` is a resource, a system takes it as `Res<{T}>` or `ResMut<{T}>`; an event, as `EventReader<{T}>` or `EventWriter<{T}>`; an aspect or a bundle, as the components that it is made of; a relation with many targets, as `Many<{T}>`"
)]
pub unsafe trait ContainsComponent<T: 'static, W: World> {
    /// [`ListedComponent`](mistake::ListedComponent), of which alone the contract is asked, or the mistake of naming `T` here.
    #[doc(hidden)]
    type Is;
    #[doc(hidden)]
    type Slot: Place;
    #[doc(hidden)]
    type Kind: requires::WorldKind<W>;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __column_ptr(this: *mut W) -> *mut Column<T>;
}

// SAFETY: the contract of `ContainsComponent`, since the conditions of mistakes never hold.
unsafe impl<T: 'static, W: World> Has<T> for W
where
    WorldComponents: ContainsComponent<T, W, Is: NoMistake<T, W>>,
{
    type Slot = <WorldComponents as ContainsComponent<T, W>>::Slot;
    type Kind = <WorldComponents as ContainsComponent<T, W>>::Kind;
    #[inline(always)]
    unsafe fn __column_ptr(this: *mut Self) -> *mut Column<T> {
        // SAFETY: the caller's promise.
        unsafe { <WorldComponents as ContainsComponent<T, W>>::__column_ptr(this) }
    }
}

/// A world that stores `T`, which has a value that `&mut T` may change without a trace. Implemented wherever it holds.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no component `{T}`",
    label = "`{T}` is not a component of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `components {{ {T} }}`, with `#[derive(Component)]` on the type",
    note = "if `{T}` is a resource, a system takes it as `Res<{T}>` or `ResMut<{T}>`; an event, as `EventReader<{T}>` or `EventWriter<{T}>`"
)]
pub trait HasMut<T: 'static>: Has<T> {}
impl<T: 'static, W: Has<T>> HasMut<T> for W where <W as Has<T>>::Kind: ChangedByMut<T> {}

/// A world that stores `T`, which is tracked and can be changed in place: what [`Mut`](crate::Mut) asks for, and all that
/// [`HasStamps`] is enough for. Implemented wherever it holds.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no component `{T}`",
    label = "`{T}` is not a component of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `components {{ {T} }}`, with `#[derive(Component)]` on the type",
    note = "if `{T}` is a resource, a system takes it as `Res<{T}>` or `ResMut<{T}>`; an event, as `EventReader<{T}>` or `EventWriter<{T}>`"
)]
pub trait HasTracked<T: 'static>: HasStamps<T> {}
impl<T: 'static, W: Has<T>> HasTracked<T> for W where <W as Has<T>>::Kind: MutableTracked<T> {}

/// A world that stores `T`, which is tracked: what [`Ref`](crate::Ref), [`Changed`](crate::Changed) and
/// [`Added`](crate::Added) ask for. Of a relation that is all there is. Implemented wherever it holds.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no component `{T}`",
    label = "`{T}` is not a component of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `components {{ {T} }}`, with `#[derive(Component)]` on the type",
    note = "if `{T}` is a resource, a system takes it as `Res<{T}>` or `ResMut<{T}>`; an event, as `EventReader<{T}>` or `EventWriter<{T}>`"
)]
pub trait HasStamps<T: 'static>: Has<T> {}
impl<T: 'static, W: Has<T>> HasStamps<T> for W where <W as Has<T>>::Kind: Tracks<T> {}

/// A world that stores `T`, whose removed values are kept: what [`Removed`](crate::Removed) asks for. Implemented wherever
/// it holds.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no component `{T}`",
    label = "`{T}` is not a component of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `components {{ {T} }}`, with `#[derive(Component)]` on the type",
    note = "if `{T}` is a resource, a system takes it as `Res<{T}>` or `ResMut<{T}>`; an event, as `EventReader<{T}>` or `EventWriter<{T}>`"
)]
pub trait HasRemoved<T: 'static>: Has<T> {
    #[doc(hidden)]
    const MOST: usize;
    #[doc(hidden)]
    const COPY: fn(&T) -> T;
}
impl<T: 'static, W: Has<T>> HasRemoved<T> for W
where
    <W as Has<T>>::Kind: Logs<T>,
{
    const MOST: usize = <W::Kind as Logs<T>>::MOST;
    const COPY: fn(&T) -> T = <W::Kind as Logs<T>>::COPY;
}
