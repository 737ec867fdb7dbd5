//! Components, and which of them a world has.
#![expect(unsafe_code, reason = "declares the trait by which fields are reached")]

use crate::storage::column::Column;
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
    const INDEX: usize;
    #[doc(hidden)]
    type Slot;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __column_ptr(this: *mut Self) -> *mut Column<T>;
    #[doc(hidden)]
    fn __fill(at: &mut crate::component::requires::Filler<'_, Self>);
}

/// A component that `&mut T` may change behind the world's back: any that has a value and is not observed.
///
/// Tags do not have this: there is nothing to write.
#[diagnostic::on_unimplemented(
    message = "`&mut {Self}`: `{Self}` has no value that could be changed",
    label = "a tag has no fields: nothing to borrow mutably",
    note = "ask for its presence with `&{Self}`, `With<{Self}>` or `Is<{Self}>`; put it on and take it off with `insert` and `remove`"
)]
pub trait PlainMut {}
