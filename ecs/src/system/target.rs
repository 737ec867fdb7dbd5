//! What the only reference of a system's parameters stands for, if it is `&mut T`: a component of each entity, or
//! the world itself.
//!
//! Tokens cannot tell a world from a component behind an alias; the type can.
#![expect(unsafe_code, reason = "declares and forwards the contract by which systems are run")]

use super::access::{Access, ParamKind};
use super::each::each;
use crate::component::HasMut;
use crate::query::QueryData;
use crate::world::{World, WorldCell};

/// It is a component.
pub struct OfComponent;

/// It is the world.
pub struct OfWorld;

/// What a parameter `&mut Self` of a system of world `W` stands for: a component, or `W`, for which `world!` implements it.
///
/// # Safety
/// `drive` accesses of the world only what `ACCESS` declares; `KIND` is `World` if it is the world itself.
pub unsafe trait MutTarget<W: World, K> {
    /// What it touches.
    const ACCESS: Access;
    /// What kind of parameter it is.
    const KIND: ParamKind;
    /// Calls `f` with every value there is.
    ///
    /// # Safety
    /// As for [`System`](super::System)'s `run`.
    #[doc(hidden)]
    unsafe fn drive(world: WorldCell<'_, W>, f: impl FnMut(&mut Self));
}

// SAFETY: a query over one component accesses what it declares.
unsafe impl<T: 'static, W: HasMut<T>> MutTarget<W, OfComponent> for T {
    const ACCESS: Access = <&mut T as QueryData<W>>::ACCESS;
    const KIND: ParamKind = ParamKind::Element;
    #[inline(always)]
    unsafe fn drive(world: WorldCell<'_, W>, f: impl FnMut(&mut T)) {
        // SAFETY: the caller's promise.
        unsafe { each::<W, &mut T, ()>(world, move || (<&mut T as QueryData<W>>::columns(world), ()), f) };
    }
}
