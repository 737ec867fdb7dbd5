//! Components, and which of them a world has.
#![expect(unsafe_code, reason = "declares the trait by which fields are reached")]

use crate::storage::column::Column;
use crate::typeset::Place;
use crate::world::World;

pub(crate) mod requires;
pub(crate) mod set;

pub use requires::Requirements;
pub use set::ComponentSet;

/// Data of an entity. Derived: `#[derive(Component)]`.
///
/// A world stores the components that its `components { .. }` section lists, each in a column of its own. A struct
/// without fields is a *tag*: it takes one bit for each entity.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component",
    note = "add `#[derive(Component)]` to `{Self}`; a type of another crate needs a one-field newtype"
)]
pub trait Component: Sized + Send + Sync + 'static {
    /// The type's own name.
    const NAME: &'static str;
}

/// A world that stores component `T`. Implemented by `world!`; the bound that generic code asks for.
///
/// # Safety
/// No two `INDEX`es of a world are equal, all are below `W::COMPONENTS.len()`, and `__column_ptr` gives the address
/// of one field of the world, always the same, that no other implementation of this trait gives.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no component `{T}`",
    label = "`{T}` is not a component of `{Self}`",
    note = "list it: `world! {{ struct {Self} {{ components {{ {T} }} }} }}`, with `#[derive(Component)]` on the type",
    note = "if `{T}` is a resource, a system takes it as `Res<{T}>` or `ResMut<{T}>`"
)]
pub unsafe trait Has<T: 'static>: World {
    /// The place of the component in the world's list.
    const INDEX: usize = Self::Slot::INDEX;
    #[doc(hidden)]
    type Slot: Place;
    #[doc(hidden)]
    type Kind: requires::Kind<Self>;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __column_ptr(this: *mut Self) -> *mut Column<T>;
}

/// What a component with a value is: `&mut T` may change it behind the world's back.
pub struct Value;

/// What a component without a value is.
pub struct Tag;

/// A kind of component that `&mut T` may change.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}`: `{T}` is a tag and has no value that could be changed",
    label = "a tag has no fields: nothing to borrow mutably",
    note = "ask for its presence with `&{T}`, `With<{T}>` or `Is<{T}>`; put it on and take it off with `insert` and `remove`",
    note = "code that is generic over its world asks for `HasMut<{T}>` instead of `Has<{T}>`"
)]
pub trait Changes<T: ?Sized> {}
impl<T: ?Sized> Changes<T> for Value {}

/// A world that stores `T`, which has a value that `&mut T` may change. Implemented wherever it holds.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no component `{T}`",
    label = "`{T}` is not a component of `{Self}`",
    note = "list it: `world! {{ struct {Self} {{ components {{ {T} }} }} }}`, with `#[derive(Component)]` on the type",
    note = "if `{T}` is a resource, a system takes it as `Res<{T}>` or `ResMut<{T}>`"
)]
pub trait HasMut<T: 'static>: Has<T> {}
impl<T: 'static, W: Has<T>> HasMut<T> for W where <W as Has<T>>::Kind: Changes<T> {}
