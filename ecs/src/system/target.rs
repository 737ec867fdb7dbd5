//! [`MutTarget`]: distinguishes a system `fn(&mut Component)`, which runs for each entity, from `fn(&mut World)`.
//!
//! If `&mut T` is the only reference among a system's parameters, the macro sees only the tokens of `T`, which may be a type alias;
//! so this trait decides by the type.
#![expect(unsafe_code, reason = "declares and forwards the contract by which systems are run")]

use super::each::each;
use crate::base::access::{Access, ParamKind};
use crate::component::HasMut;
use crate::query::QueryData;
use crate::raw_world::{RawWorld, WorldCell};

/// Marks targets that are components.
pub struct OfComponent;

/// Marks targets that are the world.
pub struct OfWorld;

/// A type `T` for which `&mut T` is a parameter of a system of world `W`: a component of `W`, or `W` itself, for which `world!`
/// implements the trait.
///
/// # Safety
/// `drive` accesses only the parts of the world that `ACCESS` declares. `KIND` is `World` if `Self` is the world.
pub unsafe trait MutTarget<W: RawWorld, K> {
    /// The parts of the world that the parameter accesses.
    const ACCESS: Access;
    /// The kind of the parameter.
    const KIND: ParamKind;
    /// Calls `f` with every value of the component, or once with the world.
    ///
    /// # Safety
    /// The caller makes the promise of [`System`](super::System)'s `run` for a system with this parameter.
    #[doc(hidden)]
    unsafe fn drive(world: WorldCell<'_, W>, f: impl FnMut(&mut Self));
}

// SAFETY: `drive` makes a query for `&mut T`, and `ACCESS` is the access of this query.
unsafe impl<T: 'static, W: HasMut<T>> MutTarget<W, OfComponent> for T {
    const ACCESS: Access = <&mut T as QueryData<W>>::ACCESS;
    const KIND: ParamKind = ParamKind::RowData;
    #[inline(always)]
    unsafe fn drive(world: WorldCell<'_, W>, f: impl FnMut(&mut T)) {
        // SAFETY: the caller promises that no one else accesses `T` during the call; the columns are those of `&mut T`.
        unsafe { each::<W, &mut T, ()>(world, move || (<&mut T as QueryData<W>>::columns(world), ()), f) };
    }
}
