//! Systems: functions whose parameters are their queries and their access sets.
//!
//! `#[system]` keeps the function and adds a type of the same name that implements [`System`]. What its parameters
//! touch is in [`access`]; the parameters other than queries are in [`param`], [`storage`]
//! and [`lookup`].
#![expect(unsafe_code, reason = "declares the trait by which systems are run")]

pub(crate) mod access;
mod disjoint;
pub(crate) mod each;
pub(crate) mod entered;
pub(crate) mod function;
pub(crate) mod lookup;
pub(crate) mod param;
pub(crate) mod removed;
pub(crate) mod state;
pub(crate) mod storage;
pub(crate) mod target;

pub use access::{Access, ParamInfo, ParamKind};
pub use entered::{Entered, Exited};
pub use function::SystemFn;
pub use lookup::Lookup;
pub use param::{Local, Res, ResMut, SystemParam};
pub use removed::{Removed, RemovedIter};
pub(crate) use state::{StateParts, SystemState, UnsavedState};
pub use storage::Storage;
pub use target::{MutTarget, OfWorld};

use core::any::TypeId;

use crate::base::place::Place;
use crate::command::flush::Flush;
use crate::world::{World, WorldCell};

/// When a parameter's [`finish`](SystemParam::finish) is called.
pub enum SystemPhase<'f, W: World> {
    /// The state was made: it is that of a system at this place, or of one that runs once.
    Open(Option<Place>),
    /// The system has run; others of its stage may still run.
    Done,
    /// It was the system's turn, and it did not run: its condition is false, or it is switched off. Others of its stage may
    /// run.
    Skipped,
    /// The stage is over: what was deferred is handed over.
    Collect(&'f mut Flush<W>),
    /// What was deferred has been done.
    Refill(&'f mut Flush<W>),
    /// The system will not run again with this state.
    Close,
    /// The stage was broken off: what was sent and deferred is dropped.
    Discard,
}

/// What a system's parameters have left to do: [`System::FINISH`].
#[doc(hidden)]
pub type Finish<W> = unsafe fn(WorldCell<'_, W>, &mut SystemState, &mut SystemPhase<'_, W>);

/// Whether a system's parameters have news: [`System::HAS_NEWS`].
#[doc(hidden)]
pub type HasNews<W> = unsafe fn(WorldCell<'_, W>, &mut SystemState) -> bool;

/// [`System::INIT`] where no parameter has a state.
pub(crate) fn no_state<W: World>(_: &mut W) -> SystemState {
    SystemState::new(())
}

/// [`System::FINISH`] where nothing is left to do.
///
/// # Safety
/// None is needed.
pub(crate) unsafe fn nothing_to_finish<W: World>(
    _: WorldCell<'_, W>,
    _: &mut SystemState,
    _: &mut SystemPhase<'_, W>,
) {
}

/// [`System::HAS_NEWS`] where nothing is reacted to.
///
/// # Safety
/// None is needed.
pub(crate) unsafe fn no_news<W: World>(_: WorldCell<'_, W>, _: &mut SystemState) -> bool {
    false
}

/// A function that can run on world `W`. Implemented by `#[system]`.
///
/// # Safety
/// `run` and `FINISH` access of the world only what `PARAMS` declares, but for `FINISH` in the phases in which nobody else
/// accesses the world; `EXCLUSIVE` is true if one of them is the world itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system of world `{W}`",
    label = "not a system of `{W}`",
    note = "a system is a function with `#[system({W})]`, or `#[system]` for any world that has what it needs"
)]
pub unsafe trait System<W: World>: 'static {
    /// The function's name.
    const NAME: &'static str;
    /// What it takes.
    const PARAMS: &'static [ParamInfo];
    /// Whether it takes the world itself.
    const EXCLUSIVE: bool = false;
    /// Its name and its parameters, if they are checked where it is scheduled, since it is generic over its world; others
    /// are checked where they are written.
    #[doc(hidden)]
    const UNCHECKED: Option<(&'static str, &'static [ParamInfo])> = None;
    /// Whether `FINISH` does anything for a system that runs once, and more than in the phases [`SystemPhase::Open`],
    /// [`SystemPhase::Close`] and [`SystemPhase::Skipped`].
    #[doc(hidden)]
    const FINISHES: bool = false;
    /// What it returns.
    type Out;
    /// What is done to the world once, when the system gets a place in a schedule.
    #[doc(hidden)]
    const SETUP: Option<fn(&mut W)> = None;
    /// What is done to the world once, when the system has lost its place.
    #[doc(hidden)]
    const EXIT: Option<fn(&mut W)> = None;
    /// Makes the state of a place. Like what follows, a constant, so that what most systems do not need is one function for
    /// all of them.
    #[doc(hidden)]
    const INIT: fn(&mut W) -> SystemState = no_state;
    /// Lets the parameters finish.
    ///
    /// # Safety
    /// The world is borrowed mutably; nobody else accesses what `PARAMS` declares, and in any phase but the first two nobody
    /// else accesses the world; the state was made by `INIT`.
    #[doc(hidden)]
    const FINISH: Finish<W> = nothing_to_finish;
    /// Whether there is something that it reacts to and has not seen.
    ///
    /// # Safety
    /// As for `FINISH` in a phase but the first two.
    #[doc(hidden)]
    const HAS_NEWS: HasNews<W> = no_news;
    #[doc(hidden)]
    /// # Safety
    /// The world is borrowed mutably, nobody else accesses what `PARAMS` declares, `PARAMS` are sound together, and
    /// `state` was made by `INIT` and is not part of the world if the system is exclusive.
    unsafe fn run(world: WorldCell<'_, W>, state: &mut SystemState) -> Self::Out;
    /// The system as a value, once its parameters were found to be sound together.
    #[doc(hidden)]
    const RUNNABLE: Runnable<W, Self::Out> = Runnable::of::<Self>();
}

/// A system whose parameters are sound together.
///
/// # Invariants
/// The fields are those of one system; `run` is its own if its parameters were accepted by [`access::is_sound`].
pub struct Runnable<W: World, Out> {
    pub(crate) id: TypeId,
    pub(crate) params: &'static [ParamInfo],
    pub(crate) exclusive: bool,
    pub(crate) finishes: bool,
    pub(crate) setup: Option<fn(&mut W)>,
    pub(crate) exit: Option<fn(&mut W)>,
    pub(crate) init: fn(&mut W) -> SystemState,
    pub(crate) run: unsafe fn(WorldCell<'_, W>, &mut SystemState) -> Out,
    pub(crate) finish: Finish<W>,
    pub(crate) has_news: HasNews<W>,
}

unsafe fn refuse<W: World, Out>(_: WorldCell<'_, W>, _: &mut SystemState) -> Out {
    panic!("the parameters of this system clash")
}

impl<W: World, Out> Runnable<W, Out> {
    const fn of<S: System<W, Out = Out> + ?Sized>() -> Self {
        // That they clash is said where the system is written, or scheduled.
        let run = if access::is_sound(S::PARAMS) { S::run } else { refuse::<W, Out> };
        Self {
            id: TypeId::of::<S>(),
            params: S::PARAMS,
            exclusive: S::EXCLUSIVE,
            finishes: S::FINISHES,
            setup: S::SETUP,
            exit: S::EXIT,
            init: S::INIT,
            run,
            finish: S::FINISH,
            has_news: S::HAS_NEWS,
        }
    }
}
