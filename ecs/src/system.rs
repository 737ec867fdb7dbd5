//! Systems: functions whose parameters declare which parts of the world they read and write.
//!
//! `#[system]` keeps the function and adds a type of the same name that implements [`System`]. The
//! parameters other than queries are here, and [`SystemParam`] is the trait that all of them
//! implement, most of them in `system/param.rs`.
//!
//! # What a system is
//! A [`System`] has one function, `run`, and one constant, [`DESC`](System::DESC): its description,
//! a [`SystemDesc`]. A system with inputs has the same, as an [`InputSystem`]. A schedule stores a
//! system as a [`Runnable`], which has the constant's address and the function.
#![expect(unsafe_code, reason = "declares the trait by which systems are run")]

pub(crate) mod accumulator;
pub(crate) mod desc;
pub(crate) mod each;
pub(crate) mod entered;
pub(crate) mod failure;
pub(crate) mod function;
pub(crate) mod hook_state;
pub(crate) mod input;
pub(crate) mod local;
pub(crate) mod lookup;
pub(crate) mod param;
pub(crate) mod param_set;
pub(crate) mod passed_over;
pub(crate) mod pipe;
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
pub use desc::SystemDesc;
pub(crate) use desc::{Finish, SystemKind};
pub use entered::{Entered, Exited};
pub use function::SystemFn;
pub use hook_state::HookState;
pub use input::{In, InputSystem};
pub use local::Local;
pub use lookup::Lookup;
pub use param::SystemParam;
pub use param_set::{ParamSet, QueryAt, QuerySet};
pub use pipe::Pipe;
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
pub enum SystemPhase<'f, W: 'static> {
    /// The state was made, for a system at this place in a schedule; `None` for a system that runs
    /// once.
    Open(Option<Place>),
    /// The system has run. Other systems of its stage may still run.
    Done,
    /// The system was skipped: its condition is false, or it is switched off. Other systems of its
    /// stage may run.
    Skipped {
        /// Whether [`in_state`](crate::state::in_state) alone makes the condition false: the system
        /// belongs to another state than the current one. Events that wait for it are then those of
        /// another state.
        by_state: bool,
    },
    /// The condition of a system in the background is false. The executor still calls the system
    /// right after this phase, to take over the output of a run that is under way; no new run
    /// begins.
    Refused,
    /// The stage has ended: the parameter moves its deferred changes to the flush.
    Collect(&'f mut Flush<W>),
    /// The flush was applied: the parameter gets its emptied buffers back.
    Refill(&'f mut Flush<W>),
    /// The system will not run again with this state, which is about to be dropped.
    Close,
    /// The stage was aborted by a panic: events that were not queued yet and deferred changes are
    /// dropped.
    Discard,
}

/// A function that can run on world `W`. Implemented by `#[system]`.
///
/// # Safety
/// `run` and the functions of `DESC` access only the parts of the world that the parameters of
/// `DESC` declare, except for `finish` in the phases in which no one else accesses the world.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system of world `{W}`",
    label = "not a system of `{W}`",
    note = "a system is a function with `#[system({W})]`, or `#[system]` for any world that has what it needs",
    note = "a system with a parameter `In<T>` is named with its input: `{Self}(value)`, or `source | {Self}`"
)]
pub unsafe trait System<W: RawWorld>: Sized + 'static {
    /// All that is known about the system.
    const DESC: SystemDesc<W>;
    /// The return type of the function.
    type Out;
    #[doc(hidden)]
    /// Runs the function.
    ///
    /// # Safety
    /// The world is borrowed mutably, no one else accesses the parts of the world that the
    /// parameters of `DESC` declare, and these do not clash. `state` was made by
    /// `SystemDesc::new_state`; if the system is exclusive, `state` is not part of the world.
    unsafe fn run(world: WorldCell<'_, W>, state: &mut SystemState) -> Self::Out;
    /// The system as a value, whose parameters were checked.
    #[doc(hidden)]
    const RUNNABLE: Runnable<W, Self::Out> = Runnable::of::<Self>();
}

/// A system as a value.
///
/// # Invariants
/// `desc` and `run` belong to one system. If its parameters do not clash, `run` runs it; otherwise
/// `run` panics.
#[doc(hidden)]
pub struct Runnable<W: RawWorld, Out> {
    pub(crate) id: TypeId,
    pub(crate) desc: &'static SystemDesc<W>,
    pub(crate) run: unsafe fn(WorldCell<'_, W>, &mut SystemState) -> Out,
}

unsafe fn refuse<W: RawWorld, Out>(_: WorldCell<'_, W>, _: &mut SystemState) -> Out {
    panic!("the parameters of this system clash")
}

impl<W: RawWorld, Out> Runnable<W, Out> {
    /// A system that panics.
    pub(crate) const REFUSED: Self =
        Self { id: TypeId::of::<()>(), desc: &SystemDesc::new("", &[]), run: refuse::<W, Out> };

    /// A system with its description. If its parameters clash, it panics: the compile error is
    /// given where it is written or scheduled.
    ///
    /// # Safety
    /// `run` has the contract of [`System::run`] for a system with this description.
    pub(crate) const unsafe fn new(
        id: TypeId,
        desc: &'static SystemDesc<W>,
        run: unsafe fn(WorldCell<'_, W>, &mut SystemState) -> Out,
    ) -> Self {
        pipe::check_parts(desc);
        Self { id, desc, run: if desc.is_sound() { run } else { refuse::<W, Out> } }
    }

    const fn of<S: System<W, Out = Out>>() -> Self {
        // SAFETY: both are those of one system.
        unsafe { Self::new(TypeId::of::<S>(), const { &S::DESC }, S::run) }
    }

    /// Runs the system at these ticks in a world that no one else uses. The state is not part of
    /// the world.
    #[inline(always)]
    pub(crate) fn run_alone(&self, world: &mut W, state: &mut SystemState, ticks: &Ticks) -> Out {
        // SAFETY: the world is borrowed mutably, so that no other borrow of its data is alive, and
        // the state is outside of it. By the invariant the parameters do not clash, or `run`
        // panics. A state of another type makes it panic, too.
        unsafe { (self.run)(WorldCell::new(world).at(ticks), state) }
    }
}

/// The system of the gate of a group in a schedule, which does nothing.
pub struct Gate;

// SAFETY: it accesses nothing.
#[diagnostic::do_not_recommend]
unsafe impl<W: RawWorld> System<W> for Gate {
    const DESC: SystemDesc<W> = SystemDesc::new("group", &[]);
    type Out = ();
    unsafe fn run(_: WorldCell<'_, W>, _: &mut SystemState) {}
}
