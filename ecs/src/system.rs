//! Systems: functions whose parameters declare which parts of the world they read and write.
//!
//! `#[system]` keeps the function and adds a type of the same name that implements [`System`]. The parameters other than queries are
//! here, and [`SystemParam`] is the trait that all of them implement, most of them in `system/param.rs`.
#![expect(unsafe_code, reason = "declares the trait by which systems are run")]

pub(crate) mod accumulator;
pub(crate) mod each;
pub(crate) mod entered;
pub(crate) mod function;
pub(crate) mod hook_state;
pub(crate) mod input;
pub(crate) mod local;
pub(crate) mod lookup;
pub(crate) mod param;
pub(crate) mod param_set;
pub(crate) mod passed_over;
pub(crate) mod removed;
pub(crate) mod res;
#[cfg(feature = "serde")]
pub(crate) mod saved;
#[cfg(not(feature = "serde"))]
#[path = "system/unsaved.rs"]
pub(crate) mod saved;
pub(crate) mod shared_param;
pub(crate) mod single;
pub(crate) mod state;
pub(crate) mod storage;
mod tuple;

pub(crate) use crate::base::access::{Access, ParamInfo, ParamKind};
pub use crate::base::reader_stats::RemovedStats;
pub use crate::base::tick::Tick;
pub use accumulator::{Accumulate, Accumulator};
pub use entered::{Entered, Exited};
pub use function::SystemFn;
pub use hook_state::HookState;
pub use input::{In, InputSystem, Pipe};
pub use local::Local;
pub use lookup::Lookup;
pub use param::SystemParam;
pub use param_set::{ParamSet, QueryAt, QuerySet};
pub use removed::{Removed, RemovedIter};
pub use res::{Res, ResMut};
pub use single::{Populated, Single};
pub(crate) use state::{StateParts, SystemState, UnsavedState};
pub use storage::Storage;

use core::any::TypeId;

use crate::base::place::Place;
use crate::base::tick::Ticks;
use crate::command::flush::Flush;
use crate::raw_world::{RawWorld, WorldCell};

/// The occasion on which a parameter's [`finish`](SystemParam::finish) is called.
#[doc(hidden)]
pub enum SystemPhase<'f, W: RawWorld> {
    /// The state was made, for a system at this place in a schedule; `None` for a system that runs once.
    Open(Option<Place>),
    /// The system has run. Other systems of its stage may still run.
    Done,
    /// The system was skipped: its condition is false, or it is switched off. Other systems of its stage may run.
    Skipped {
        /// Whether [`in_state`](crate::state::in_state) has refused it: its condition is false whatever the other systems of the condition
        /// return. Events that wait for the system are then those of another state.
        by_state: bool,
    },
    /// The condition of the system is false, and the system [runs nevertheless](System::RUNS_IF_REFUSED), right after this.
    Refused,
    /// The stage has ended: the parameter moves its deferred changes to the flush.
    Collect(&'f mut Flush<W>),
    /// The flush was applied: the parameter gets its emptied buffers back.
    Refill(&'f mut Flush<W>),
    /// The system will not run again with this state, which is about to be dropped.
    Close,
    /// The stage was aborted by a panic: events that were not queued yet and deferred changes are dropped.
    Discard,
}

/// The type of [`System::FINISH`].
#[doc(hidden)]
pub type Finish<W> = unsafe fn(WorldCell<'_, W>, &mut SystemState, &mut SystemPhase<'_, W>);

/// The type of [`System::HAS_NEWS`].
#[doc(hidden)]
pub type HasNews<W> = unsafe fn(WorldCell<'_, W>, &mut SystemState) -> bool;

/// The [`System::INIT`] of systems without a parameter that has a state.
pub(crate) fn no_state<W: RawWorld>(_: &mut W) -> SystemState {
    SystemState::new(())
}

/// The [`System::FINISH`] of systems without a parameter that does something in `finish`.
///
/// # Safety
/// None is needed.
pub(crate) unsafe fn nothing_to_finish<W: RawWorld>(
    _: WorldCell<'_, W>,
    _: &mut SystemState,
    _: &mut SystemPhase<'_, W>,
) {
}

/// The [`System::HAS_NEWS`] of systems without a parameter that can have news.
///
/// # Safety
/// None is needed.
pub(crate) unsafe fn no_news<W: RawWorld>(_: WorldCell<'_, W>, _: &mut SystemState) -> bool {
    false
}

/// A function that can run on world `W`. Implemented by `#[system]`.
///
/// # Safety
/// `run` and `FINISH` access only the parts of the world that `PARAMS` declares, except for `FINISH` in the phases in which no one
/// else accesses the world. `EXCLUSIVE` is true if a parameter is the world itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system of world `{W}`",
    label = "not a system of `{W}`",
    note = "a system is a function with `#[system({W})]`, or `#[system]` for any world that has what it needs",
    note = "a system with a parameter `In<T>` is named with its input: `{Self}(value)`, or `source | {Self}`"
)]
pub unsafe trait System<W: RawWorld>: 'static {
    /// The name of the function.
    const NAME: &'static str;
    /// The parameters of the function.
    const PARAMS: &'static [ParamInfo];
    /// The parameters of the function, where they are not those by which the system takes part in a schedule: a system in the background
    /// takes the whole world at its place, and its function reads a copy.
    #[doc(hidden)]
    const FUNCTION: &'static [ParamInfo] = Self::PARAMS;
    /// Whether a parameter is the world itself.
    const EXCLUSIVE: bool = false;
    /// The name and the parameters of a system that is generic over its world, which are checked where the system is scheduled;
    /// `None` for other systems, which are checked where they are written.
    #[doc(hidden)]
    const UNCHECKED: Option<(&'static str, &'static [ParamInfo])> = None;
    /// Whether `FINISH` must be called in phases other than [`SystemPhase::Open`], [`SystemPhase::Close`] and
    /// [`SystemPhase::Skipped`], and for a system that runs once.
    #[doc(hidden)]
    const FINISHES: bool = false;
    /// Whether the executor runs the system even if its condition is false, after [`SystemPhase::Refused`]: a system in the background,
    /// whose condition decides whether another run begins. Such a system takes the whole world.
    #[doc(hidden)]
    const RUNS_IF_REFUSED: bool = false;
    /// Whether the system is [`in_state`](crate::state::in_state): see [`SystemPhase::Skipped`]. It takes no input, and has no state.
    #[doc(hidden)]
    const OF_STATE: bool = false;
    /// For a schedule as a system: skips the systems of the schedule, which `in_state` has refused.
    #[doc(hidden)]
    const SKIP_INNER: Option<fn(&mut W)> = None;
    /// The return type of the function.
    type Out;
    /// Called once with the world when the system gets a place in a schedule.
    #[doc(hidden)]
    const SETUP: Option<fn(&mut W)> = None;
    /// Called once with the world when the system was removed from its place.
    #[doc(hidden)]
    const EXIT: Option<fn(&mut W)> = None;
    /// Makes the state of the system at a place. `INIT`, `FINISH` and `HAS_NEWS` are constants and not methods, so that all systems
    /// that do not need them share one function.
    #[doc(hidden)]
    const INIT: fn(&mut W) -> SystemState = no_state;
    /// Calls [`SystemParam::finish`] of each parameter.
    ///
    /// # Safety
    /// The world is borrowed mutably. No one else accesses the parts of the world that `PARAMS` declares, and in phases other than
    /// [`SystemPhase::Done`] and [`SystemPhase::Skipped`] no one else accesses the world. The state was made by `INIT`.
    #[doc(hidden)]
    const FINISH: Finish<W> = nothing_to_finish;
    /// Whether [`SystemParam::has_news`] of a parameter is true: whether the system has something to react to that it has not seen.
    ///
    /// # Safety
    /// The world is borrowed mutably, and no one else accesses it. The state was made by `INIT`.
    #[doc(hidden)]
    const HAS_NEWS: HasNews<W> = no_news;
    /// Whether `HAS_NEWS` can be true.
    #[doc(hidden)]
    const REACTS: bool = false;
    /// Whether a parameter can skip the system: whether `run` may return without a call of the function, after
    /// [`SystemState::skip`].
    #[doc(hidden)]
    const MAY_SKIP: bool = false;
    #[doc(hidden)]
    /// Runs the function.
    ///
    /// # Safety
    /// The world is borrowed mutably, no one else accesses the parts of the world that `PARAMS` declares, and `PARAMS` do not clash.
    /// `state` was made by `INIT`; if the system is exclusive, `state` is not part of the world.
    unsafe fn run(world: WorldCell<'_, W>, state: &mut SystemState) -> Self::Out;
    /// The system as a value, whose parameters were checked.
    #[doc(hidden)]
    const RUNNABLE: Runnable<W, Self::Out> = Runnable::of::<Self>();
}

/// A system as a value: the constants and functions of its [`System`] implementation.
///
/// # Invariants
/// All fields belong to one system. If [`access::is_sound`] accepts its parameters, `run` runs it; otherwise `run` panics.
#[doc(hidden)]
pub struct Runnable<W: RawWorld, Out> {
    pub(crate) id: TypeId,
    pub(crate) params: &'static [ParamInfo],
    pub(crate) exclusive: bool,
    pub(crate) finishes: bool,
    pub(crate) may_skip: bool,
    pub(crate) runs_if_refused: bool,
    pub(crate) of_state: bool,
    pub(crate) skip_inner: Option<fn(&mut W)>,
    pub(crate) setup: Option<fn(&mut W)>,
    pub(crate) exit: Option<fn(&mut W)>,
    pub(crate) init: fn(&mut W) -> SystemState,
    pub(crate) run: unsafe fn(WorldCell<'_, W>, &mut SystemState) -> Out,
    pub(crate) finish: Finish<W>,
    pub(crate) has_news: HasNews<W>,
}

/// Calls a system's function for a phase, in a world that no one else uses. The state is not part of the world.
pub(crate) fn finish_alone<W: RawWorld>(
    finish: Finish<W>,
    world: &mut W,
    state: &mut SystemState,
    phase: &mut SystemPhase<'_, W>,
) {
    // SAFETY: the world is borrowed mutably, so that no other borrow of its data is alive, and the state is outside of it. A state of
    // another system is of another type, which `SystemState` notices.
    unsafe { finish(WorldCell::new(world), state, phase) };
}

unsafe fn refuse<W: RawWorld, Out>(_: WorldCell<'_, W>, _: &mut SystemState) -> Out {
    panic!("the parameters of this system clash")
}

impl<W: RawWorld, Out> Runnable<W, Out> {
    /// Runs the system at these ticks in a world that no one else uses. The state is not part of the world.
    #[inline(always)]
    pub(crate) fn run_alone(&self, world: &mut W, state: &mut SystemState, ticks: &Ticks) -> Out {
        // SAFETY: the world is borrowed mutably, so that no other borrow of its data is alive, and the state is outside of it. By the
        // invariant the parameters do not clash, or `run` panics. A state of another type makes it panic, too.
        unsafe { (self.run)(WorldCell::new(world).at(ticks), state) }
    }

    /// A system that panics.
    pub(crate) const REFUSED: Self = Self {
        id: TypeId::of::<()>(),
        params: &[],
        exclusive: false,
        finishes: false,
        may_skip: false,
        runs_if_refused: false,
        of_state: false,
        skip_inner: None,
        setup: None,
        exit: None,
        init: no_state,
        run: refuse::<W, Out>,
        finish: nothing_to_finish,
        has_news: no_news,
    };

    const fn of<S: System<W, Out = Out> + ?Sized>() -> Self {
        // The compile error for parameters that clash is given where the system is written or scheduled.
        let run = if crate::base::access::is_sound(S::PARAMS) { S::run } else { refuse::<W, Out> };
        Self {
            id: TypeId::of::<S>(),
            params: S::PARAMS,
            exclusive: S::EXCLUSIVE,
            finishes: S::FINISHES,
            may_skip: S::MAY_SKIP,
            runs_if_refused: S::RUNS_IF_REFUSED,
            of_state: S::OF_STATE,
            skip_inner: S::SKIP_INNER,
            setup: S::SETUP,
            exit: S::EXIT,
            init: S::INIT,
            run,
            finish: S::FINISH,
            has_news: S::HAS_NEWS,
        }
    }
}

/// The system of the gate of a group in a schedule, which does nothing.
pub struct Gate;

// SAFETY: it accesses nothing.
#[diagnostic::do_not_recommend]
unsafe impl<W: RawWorld> System<W> for Gate {
    const NAME: &'static str = "group";
    const PARAMS: &'static [ParamInfo] = &[];
    type Out = ();
    unsafe fn run(_: WorldCell<'_, W>, _: &mut SystemState) {}
}
