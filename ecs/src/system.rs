//! Systems: functions whose parameters are their queries and their access sets.
//!
//! `#[system]` keeps the function and adds a type of the same name that implements [`System`]. What its parameters
//! touch is in [`access`]; the parameters other than queries are in [`param`] and [`storage`].
#![expect(unsafe_code, reason = "declares the trait by which systems are run")]

pub(crate) mod access;
pub(crate) mod entered;
pub(crate) mod param;
pub(crate) mod removed;
pub(crate) mod state;
pub(crate) mod storage;
pub(crate) mod target;

pub use access::{Access, ParamInfo, ParamKind};
pub use entered::{Entered, Exited};
pub use param::{Local, Res, ResMut, SystemParam};
pub use removed::{Removed, RemovedIter};
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
    const EXCLUSIVE: bool = false;
    /// Whether its parameters are checked where it is written; else, generic over its world, where it is scheduled.
    #[doc(hidden)]
    const CHECKED: bool = true;
    /// What it returns.
    type Out;
    #[doc(hidden)]
    fn init(_world: &mut W) -> PlaceState {
        PlaceState::new(())
    }
    #[doc(hidden)]
    /// # Safety
    /// The world is borrowed mutably, nobody else accesses what `PARAMS` declares, `PARAMS` are sound together, and
    /// `state` was made by `init` and is not part of the world if the system is exclusive.
    unsafe fn run(world: WorldCell<'_, W>, state: &mut PlaceState) -> Self::Out;
    /// The system as a value, once its parameters were found to be sound together.
    #[doc(hidden)]
    const RUNNABLE: Runnable<W, Self::Out> = Runnable::of::<Self>();
}

/// A system whose parameters are sound together.
///
/// # Invariants
/// The fields are those of one system whose parameters [`access::is_sound`] accepted.
#[derive(Debug)]
pub struct Runnable<W: World, Out> {
    exclusive: bool,
    init: fn(&mut W) -> PlaceState,
    run: unsafe fn(WorldCell<'_, W>, &mut PlaceState) -> Out,
}

impl<W: World, Out> Runnable<W, Out> {
    const fn of<S: System<W, Out = Out> + ?Sized>() -> Self {
        assert!(access::is_sound(S::PARAMS), "the parameters of this system clash");
        Self { exclusive: S::EXCLUSIVE, init: S::init, run: S::run }
    }

    /// Whether it takes the world itself.
    #[inline(always)]
    pub(crate) const fn exclusive(&self) -> bool {
        self.exclusive
    }

    /// A first state.
    pub(crate) fn init(&self, world: &mut W) -> PlaceState {
        (self.init)(world)
    }

    /// Runs it.
    ///
    /// # Safety
    /// Nobody else accesses the world, and `state` is not part of the world if the system is exclusive.
    #[inline(always)]
    pub(crate) unsafe fn run(&self, world: WorldCell<'_, W>, state: &mut PlaceState) -> Out {
        // SAFETY: the parameters are sound together, and the rest is the caller's promise. (Of another system's state
        // the system makes a panic.)
        unsafe { (self.run)(world, state) }
    }
}
