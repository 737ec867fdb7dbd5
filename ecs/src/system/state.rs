//! [`SystemState`]: the states of a system's parameters, which are kept between its runs.
//!
//! The states are stored as one boxed value whose type the world does not name. If the world named
//! the types of its systems' states, the trait solver would have to prove the world's traits in
//! order to prove the world's traits.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

use alloc::boxed::Box;
use core::any::Any;

use crate::base::tick::Ticks;
use crate::base::tuples::for_tuples;
use crate::entity::regrouped::Regrouped;
use crate::persist::state::SavedState;
pub(crate) use crate::persist::state_parts::StateParts;
use crate::system::failure::Contained;

/// The state of a system at one place in a schedule.
pub struct SystemState {
    state: Option<Box<dyn ErasedState>>,
    /// The tick at which the system last ran at this place.
    pub(crate) ticks: Ticks,
    /// Whether the system has just been skipped by one of its parameters: set by the system, and
    /// taken by the executor.
    skipped: bool,
    /// The failure of the system, which ends only itself: set by the system's call, and taken by
    /// the executor.
    failed: Option<Box<Contained>>,
}

trait ErasedState: Any + Send + Sync {
    fn clone_box(&self) -> Box<dyn ErasedState>;
    fn parts_mut(&mut self) -> &mut dyn StateParts;
    fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState));
}

impl<S: Any + Send + Sync + Clone + StateParts> ErasedState for S {
    fn clone_box(&self) -> Box<dyn ErasedState> {
        Box::new(self.clone())
    }
    fn parts_mut(&mut self) -> &mut dyn StateParts {
        self
    }
    fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState)) {
        StateParts::saved_states(self, each);
    }
}

macro_rules! tuples {
    ($($name:ident $index:tt)*) => {
        #[allow(non_snake_case, unused_variables)]
        impl<$($name: StateParts),*> StateParts for ($($name,)*) {
            fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState)) {
                let ($($name,)*) = self;
                $($name.saved_states(each);)*
            }
            fn saved_states_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn SavedState)) {
                let ($($name,)*) = self;
                $($name.saved_states_mut(each);)*
            }
            fn regrouped(&mut self, moved: &Regrouped) {
                let ($($name,)*) = self;
                $($name.regrouped(moved);)*
            }
        }
    };
}

tuples!();
for_tuples!(tuples);

/// A state that is not saved.
#[derive(Clone)]
pub(crate) struct UnsavedState<S>(pub(crate) S);

impl<S> StateParts for UnsavedState<S> {}

impl SystemState {
    /// A state of any type.
    pub fn new<S: Any + Send + Sync + Clone + StateParts>(state: S) -> Self {
        Self { state: Some(Box::new(state)), ticks: Ticks::default(), skipped: false, failed: None }
    }

    /// The ticks of a run of the system that begins at `tick`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn begin(&self, tick: u64) -> Ticks {
        Ticks { this_run: tick, ..self.ticks }
    }

    /// Records that the system has run at `tick`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn end(&mut self, tick: u64) {
        self.ticks.last_run = tick;
    }

    /// Records that the system was skipped by one of its parameters, instead of a run.
    pub fn skip(&mut self) {
        self.skipped = true;
    }

    /// Whether the system was skipped by one of its parameters, since the last call.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) fn take_skipped(&mut self) -> bool {
        core::mem::take(&mut self.skipped)
    }

    /// Records that the system has failed, and ends only itself.
    #[cold]
    pub(crate) fn fail(&mut self, failed: Contained) {
        self.failed = Some(Box::new(failed));
    }

    /// Whether the system has failed, and the executor has not taken the failure.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// The failure of the system since the last call.
    pub(crate) fn take_failed(&mut self) -> Option<Contained> {
        self.failed.take().map(|failed| *failed)
    }

    /// Takes the state out, to be put back later; `None` if it was taken out already.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) fn take(&mut self) -> Option<Self> {
        let state = self.state.take()?;
        Some(Self { state: Some(state), ticks: self.ticks, skipped: false, failed: None })
    }

    /// Whether the state is here, and was not taken out.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) fn is_there(&self) -> bool {
        self.state.is_some()
    }

    /// Calls `each` with each part that is saved.
    pub(crate) fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState)) {
        if let Some(state) = &self.state {
            state.saved_states(each);
        }
    }

    /// Calls `each` with each part that is saved, to load it.
    pub(crate) fn saved_states_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn SavedState)) {
        if let Some(state) = &mut self.state {
            state.parts_mut().saved_states_mut(each);
        }
    }

    /// Replaces the ids that the library keeps in the state, after entities were moved to other
    /// slots.
    pub(crate) fn regrouped(&mut self, moved: &Regrouped) {
        if let Some(state) = &mut self.state {
            state.parts_mut().regrouped(moved);
        }
    }

    /// The state, as a value of type `S`.
    ///
    /// # Panics
    /// If the state is of another type, or was taken out.
    #[inline]
    pub fn get_mut<S: Any>(&mut self) -> &mut S {
        self.find_mut().expect("a system runs with the state that its `INIT` has made")
    }

    /// The state, as a value of type `S`; `None` if it is of another type, or was taken out.
    #[inline]
    pub fn find_mut<S: Any>(&mut self) -> Option<&mut S> {
        let state = self.state.as_deref_mut().map(|state| state as &mut dyn Any);
        state.and_then(|state| state.downcast_mut())
    }
}

impl Clone for SystemState {
    fn clone(&self) -> Self {
        let Self { state, ticks, skipped, failed: _ } = self;
        let state = state.as_deref().map(ErasedState::clone_box);
        Self { state, ticks: *ticks, skipped: *skipped, failed: None }
    }
}

debug!([] SystemState, |_, f| f.write_str("SystemState"));
