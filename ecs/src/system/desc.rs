//! [`SystemDesc`]: the description of a system, a constant that schedules, checks and tools read.
//!
//! `#[system]` writes one for each function. A type that makes a system out of others has the
//! description of its one system, or, as [`Pipe`](super::Pipe), one that refers to those of both.
//! The functions of this file that create, finish and query the state of a system are compiled once
//! for each world, and not for each system.
#![expect(unsafe_code, reason = "calls the functions of a system's table with its state")]

use super::pipe::PipeState;
use super::{SystemPhase, SystemState};
use crate::base::access::{Access, ParamInfo, is_sound};
use crate::raw_world::{RawWorld, WorldCell};

/// A function of a system for a [phase](SystemPhase): calls
/// [`SystemParam::finish`](super::SystemParam::finish) of each parameter.
pub(crate) type Finish<W> = unsafe fn(WorldCell<'_, W>, &mut SystemState, &mut SystemPhase<'_, W>);

/// A function that tells whether a system has something to react to that it has not seen: calls
/// [`SystemParam::has_news`](super::SystemParam::has_news) of each parameter.
pub(crate) type HasNews<W> = unsafe fn(WorldCell<'_, W>, &mut SystemState) -> bool;

/// The description of a [`System`](super::System). A field that most systems do not need is `None`
/// for them, so that the compiler makes no function for it.
#[repr(C)]
pub struct SystemDesc<W: 'static> {
    /// The name of the function.
    pub name: &'static str,
    /// The parameters by which the system takes part in a schedule: those of the function, except
    /// for a system in the background, which takes the whole world at its place.
    pub params: &'static [ParamInfo],
    #[doc(hidden)]
    pub kind: SystemKind<W>,
    /// Whether the parameters are checked where the system is scheduled, and not where it is
    /// written: it is generic over its world.
    #[doc(hidden)]
    pub is_generic: bool,
    /// Whether a parameter can skip the system: whether `run` may return without a call of the
    /// function, after [`SystemState::skip`].
    #[doc(hidden)]
    pub may_skip: bool,
    /// Whether `finish` must be called in phases other than [`SystemPhase::Open`],
    /// [`SystemPhase::Close`] and [`SystemPhase::Skipped`], and for a system that runs once.
    #[doc(hidden)]
    pub finishes: bool,
    /// Called once with the world when the system gets a place in a schedule.
    #[doc(hidden)]
    pub setup: Option<fn(&mut W)>,
    /// Called once with the world when the system was removed from its place.
    #[doc(hidden)]
    pub exit: Option<fn(&mut W)>,
    /// Makes the state of the system at a place. `None` if no parameter has a state.
    #[doc(hidden)]
    pub init: Option<fn(&mut W) -> SystemState>,
    /// The work of the parameters in a phase. The caller keeps the contract of
    /// `SystemDesc::finish`.
    #[doc(hidden)]
    pub finish: Option<Finish<W>>,
    /// Whether a parameter has something to react to; `None` if none ever has. The caller keeps the
    /// contract of `SystemDesc::has_news`.
    #[doc(hidden)]
    pub has_news: Option<HasNews<W>>,
}

/// The functions for the states of a system's parameters. Implemented by `#[system]` where they
/// have any. They are functions of a trait, of which [`SystemDesc::with_states`] takes the
/// addresses, since that costs the compiler less in each system than closures in a constant.
///
/// # Safety
/// `finish` and `has_news` access only the parts of the world that the description of the system
/// declares, except for `finish` in the phases in which no one else accesses the world.
pub unsafe trait StateFunctions<W: RawWorld>: 'static {
    /// Makes the states.
    fn init(_: &mut W) -> SystemState {
        SystemState::new(())
    }

    /// Calls [`SystemParam::finish`](super::SystemParam::finish) of each parameter.
    ///
    /// # Safety
    /// The contract of `SystemDesc::finish`.
    unsafe fn finish(_: WorldCell<'_, W>, _: &mut SystemState, _: &mut SystemPhase<'_, W>) {}

    /// Calls [`SystemParam::has_news`](super::SystemParam::has_news) of each parameter.
    ///
    /// # Safety
    /// The contract of `SystemDesc::has_news`.
    unsafe fn has_news(_: WorldCell<'_, W>, _: &mut SystemState) -> bool {
        false
    }
}

/// The kinds of systems that an executor treats in a way of their own.
#[doc(hidden)]
#[repr(C)]
pub enum SystemKind<W: 'static> {
    /// A function, which needs nothing of its own.
    Function,
    /// A system in the background, with the description of its function. The executor runs it even
    /// if its condition is false, after [`SystemPhase::Refused`]: the condition decides whether
    /// another run begins.
    Background(&'static SystemDesc<W>),
    /// [`in_state`](crate::state::in_state): see [`SystemPhase::Skipped`]. It takes no input, and
    /// has no state.
    InState,
    /// A schedule as a system, with a function that skips the systems of the schedule, which
    /// `in_state` has refused.
    Schedule(fn(&mut W)),
    /// A system with a mistake that `#[system]` has reported. Its parameters are not known.
    Broken,
    /// A pipe, with its two systems.
    Pipe([&'static SystemDesc<W>; 2]),
}

impl<W: 'static> SystemDesc<W> {
    /// The parameters of the function.
    pub(crate) const fn function_params(&self) -> &'static [ParamInfo] {
        match self.kind {
            SystemKind::Background(function) => function.params,
            _ => self.params,
        }
    }

    /// Whether a parameter is the world itself.
    pub(crate) const fn is_exclusive(&self) -> bool {
        any!(self.params, |param| param.access.exclusive)
    }

    /// Whether the executor runs the system even if its condition is false.
    pub(crate) const fn runs_if_refused(&self) -> bool {
        matches!(self.kind, SystemKind::Background(_))
    }

    /// Whether the parameters do not clash. Running the system is sound only if this is true.
    pub(crate) const fn is_sound(&self) -> bool {
        match self.kind {
            SystemKind::Pipe([first, second]) => first.is_sound() && second.is_sound(),
            _ => is_sound(self.params),
        }
    }

    /// The access of all parameters together.
    pub(crate) const fn access(&self) -> Access {
        if self.params.is_empty() {
            return Access::NONE;
        }
        let (mut access, mut i) = (self.params[0].access, 1);
        while i < self.params.len() {
            access = access.and(self.params[i].access);
            i += 1;
        }
        access
    }
}

impl<W: RawWorld> SystemDesc<W> {
    const EMPTY: Self = Self {
        name: "",
        params: &[],
        kind: SystemKind::Function,
        is_generic: false,
        may_skip: false,
        finishes: false,
        setup: None,
        exit: None,
        init: None,
        finish: None,
        has_news: None,
    };

    /// The description of a function whose parameters have no states.
    #[must_use]
    pub const fn new(name: &'static str, params: &'static [ParamInfo]) -> Self {
        // one copy for the compiler, which evaluates this for each system
        let mut desc = Self::EMPTY;
        desc.name = name;
        desc.params = params;
        desc
    }

    /// The description of a function whose parameters have states. `finishes` is whether `finish`
    /// has work after each run; `None` if it has none at all.
    #[must_use]
    pub const fn with_states<S: StateFunctions<W>>(
        name: &'static str,
        params: &'static [ParamInfo],
        finishes: Option<bool>,
        reacts: bool,
    ) -> Self {
        let mut desc = Self::new(name, params);
        desc.init = Some(S::init);
        if let Some(finishes) = finishes {
            desc.finish = Some(S::finish);
            desc.finishes = finishes;
        }
        if reacts {
            desc.has_news = Some(S::has_news);
        }
        desc
    }

    /// Calls the `init` functions that the system names.
    pub(crate) fn set_up(&self, world: &mut W) {
        if let SystemKind::Pipe([first, second]) = self.kind {
            first.set_up(world);
            second.set_up(world);
        }
        if let Some(setup) = self.setup {
            setup(world);
        }
    }

    /// Calls the `exit` functions that the system names.
    pub(crate) fn exit(&self, world: &mut W) {
        if let Some(exit) = self.exit {
            exit(world);
        }
        if let SystemKind::Pipe([first, second]) = self.kind {
            second.exit(world);
            first.exit(world);
        }
    }

    /// Makes the state of the system at a place.
    pub(crate) fn new_state(&self, world: &mut W) -> SystemState {
        match (self.init, &self.kind) {
            (Some(init), _) => init(world),
            (None, SystemKind::Pipe([first, second])) => {
                SystemState::new(PipeState { first: first.new_state(world), second: second.new_state(world) })
            }
            (None, _) => SystemState::new(()),
        }
    }

    /// Lets the parameters do their work in a phase.
    ///
    /// # Safety
    /// The world is borrowed mutably. No one else accesses the parts of the world that `params`
    /// declare, and in phases other than [`SystemPhase::Done`] and [`SystemPhase::Skipped`] no one
    /// else accesses the world. The state is not part of the world if the system is exclusive. A
    /// state of another system is of another type, which `SystemState` notices.
    pub(crate) unsafe fn finish(
        &self,
        world: WorldCell<'_, W>,
        state: &mut SystemState,
        phase: &mut SystemPhase<'_, W>,
    ) {
        match (self.finish, &self.kind) {
            // SAFETY: the caller makes the promise of the function.
            (Some(finish), _) => unsafe { finish(world, state, phase) },
            (None, SystemKind::Pipe([first, second])) => {
                let Some(states) = state.find_mut::<PipeState>() else { return };
                // SAFETY: the parameters of a pipe are those of both systems, so that the caller
                // makes the promise of both.
                unsafe {
                    first.finish(world, &mut states.first, phase);
                    second.finish(world, &mut states.second, phase);
                }
            }
            (None, _) => {}
        }
    }

    /// [`finish`](Self::finish), in a world that no one else uses. The state is not part of the
    /// world.
    pub(crate) fn finish_alone(
        &self,
        world: &mut W,
        state: &mut SystemState,
        phase: &mut SystemPhase<'_, W>,
    ) {
        // SAFETY: the world is borrowed mutably, so that no other borrow of its data is alive, and
        // the state is outside of it.
        unsafe { self.finish(WorldCell::new(world), state, phase) };
    }

    /// Whether the system has something to react to that it has not seen.
    ///
    /// # Safety
    /// The world is borrowed mutably, and no one else accesses it.
    pub(crate) unsafe fn has_news(&self, world: WorldCell<'_, W>, state: &mut SystemState) -> bool {
        match (self.has_news, &self.kind) {
            // SAFETY: the caller makes the promise of the function.
            (Some(has_news), _) => unsafe { has_news(world, state) },
            (None, SystemKind::Pipe([first, second])) => {
                let Some(states) = state.find_mut::<PipeState>() else { return false };
                // SAFETY: the caller makes the promise of both systems.
                unsafe {
                    first.has_news(world, &mut states.first) || second.has_news(world, &mut states.second)
                }
            }
            (None, _) => false,
        }
    }

    /// Whether a mistake in the system was reported, so that its parameters are not known.
    pub(crate) const fn is_broken(&self) -> bool {
        match self.kind {
            SystemKind::Broken => true,
            SystemKind::Background(function) => function.is_broken(),
            SystemKind::Pipe([first, second]) => first.is_broken() || second.is_broken(),
            _ => false,
        }
    }

    /// Whether the system can have something to react to.
    pub(crate) const fn reacts(&self) -> bool {
        match self.kind {
            SystemKind::Pipe([first, second]) => first.reacts() || second.reacts(),
            _ => self.has_news.is_some(),
        }
    }
}
