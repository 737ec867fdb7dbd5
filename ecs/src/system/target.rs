//! What the only `&mut T` of a system's parameters stands for: a component of each entity, or the world itself.
//!
//! Tokens cannot tell a world from a component behind an alias; the type can.
#![expect(unsafe_code, reason = "declares and forwards the contract by which systems are run")]

use super::access::{Access, ParamKind};
use crate::component::{Has, PlainMut};
use crate::query::{Query, QueryData};
use crate::world::{World, WorldCell};

/// What `&mut Self` stands for in a system of world `W`. Derived with `Component`, and implemented by `world!`.
///
/// # Safety
/// `drive` accesses of the world only what `ACCESS` declares.
#[diagnostic::on_unimplemented(
    message = "`&mut {Self}` is not a parameter of a system of world `{W}`: `{Self}` is neither a component nor the world",
    label = "neither a component of `{W}` nor `{W}`",
    note = "a resource is taken as `ResMut<{Self}>`; a component needs `#[derive(Component)]` and a place in `{W}`"
)]
pub unsafe trait MutTarget<W: World> {
    /// What it touches.
    const ACCESS: Access;
    /// What kind of parameter it is.
    const KIND: ParamKind;
    /// Calls `f` with every value there is.
    ///
    /// # Safety
    /// As for [`System::run`](super::System::run).
    unsafe fn drive(world: WorldCell<'_, W>, f: impl FnMut(&mut Self));
}

/// `drive` of a component.
///
/// # Safety
/// As for [`MutTarget::drive`].
#[inline(always)]
pub unsafe fn drive_component<W: Has<T>, T: PlainMut + 'static>(
    world: WorldCell<'_, W>,
    f: impl FnMut(&mut T),
) {
    // SAFETY: the caller's promise.
    unsafe { Query::<&mut T>::of(world) }.for_each(f);
}

/// `ACCESS` of a component.
pub const fn component_access<W: Has<T>, T: PlainMut + 'static>() -> Access {
    <&mut T as QueryData<W>>::ACCESS
}
