//! Systems: functions whose parameters are their queries and their access sets.
//!
//! `#[system]` keeps the function and adds a type of the same name that implements [`System`]. What its parameters
//! touch is in [`access`]; the parameters other than queries are in [`param`] and [`storage`].
#![expect(unsafe_code, reason = "declares the trait by which systems are run")]

pub(crate) mod access;
pub(crate) mod param;
pub(crate) mod state;
pub(crate) mod storage;
pub(crate) mod target;

pub use access::{Access, ParamInfo, ParamKind};
pub use param::{Local, Res, ResMut, SystemParam};
pub(crate) use state::PlaceState;
pub use storage::Storage;
pub use target::{MutTarget, OfWorld};

use crate::world::{World, WorldCell};

/// A function that can run on world `W`. Implemented by `#[system]`.
///
/// # Safety
/// `run` accesses of the world only what `PARAMS` declares; `EXCLUSIVE` is true if one of them is the world itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system of world `{W}`",
    label = "not a system of `{W}`",
    note = "a system is a function with `#[system({W})]`, or `#[system]` for any world that has what it needs"
)]
pub unsafe trait System<W: World> {
    /// The function's name.
    const NAME: &'static str;
    /// What it takes.
    const PARAMS: &'static [ParamInfo];
    /// Whether it takes the world itself.
    const EXCLUSIVE: bool;
    /// Whether its parameters are checked where it is written; else, generic over its world, where it is scheduled.
    #[doc(hidden)]
    const CHECKED: bool;
    /// What it returns.
    type Out;
    #[doc(hidden)]
    fn init(world: &mut W) -> PlaceState;
    #[doc(hidden)]
    /// # Safety
    /// The world is borrowed mutably, nobody else accesses what `PARAMS` declares, `PARAMS` are sound together, and
    /// `state` was made by `init` and is not part of the world if the system is exclusive.
    unsafe fn run(world: WorldCell<'_, W>, state: &mut PlaceState) -> Self::Out;
}
