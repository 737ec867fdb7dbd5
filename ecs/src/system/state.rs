//! What a system remembers from run to run.
//!
//! The states of a system's parameters are one boxed value whose type the world does not name: a world that named the
//! types of its systems' states would send the trait solver in circles.

use alloc::boxed::Box;
use core::any::Any;

use crate::change::Ticks;

/// The state of a system at one place.
pub struct PlaceState {
    state: Option<Box<dyn State>>,
    /// When the system ran last at the place.
    pub(crate) ticks: Ticks,
}

trait State: Any + Send + Sync {
    fn clone_box(&self) -> Box<dyn State>;
    /// Becomes a clone of another state, if that is of the same type.
    fn assign(&mut self, source: &dyn State) -> bool;
}

impl<S: Any + Send + Sync + Clone> State for S {
    fn clone_box(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }

    fn assign(&mut self, source: &dyn State) -> bool {
        let same = (source as &dyn Any).downcast_ref().map(|source| self.clone_from(source));
        same.is_some()
    }
}

impl PlaceState {
    /// A state of any type.
    pub fn new<S: Any + Send + Sync + Clone>(state: S) -> Self {
        Self { state: Some(Box::new(state)), ticks: Ticks::default() }
    }

    /// Between which ticks the system runs if it runs at this one.
    #[inline(always)]
    pub(crate) fn begin(&self, tick: u64) -> Ticks {
        Ticks { this_run: tick, ..self.ticks }
    }

    /// The system has run at this tick.
    #[inline(always)]
    pub(crate) fn end(&mut self, tick: u64) {
        self.ticks.last_run = tick;
    }

    /// The state, to be put back later; `None` if it is out already.
    pub(crate) fn take(&mut self) -> Option<Self> {
        self.state.take().map(|state| Self { state: Some(state), ticks: self.ticks })
    }

    /// The state.
    ///
    /// # Panics
    /// If it is of another type, or taken.
    #[inline]
    pub fn get_mut<S: Any>(&mut self) -> &mut S {
        self.find_mut().expect("a system is given the state that it made")
    }

    /// The state, unless it is of another type, or taken: whoever runs the system is told.
    #[inline]
    pub fn find_mut<S: Any>(&mut self) -> Option<&mut S> {
        let state = self.state.as_deref_mut().map(|state| state as &mut dyn Any);
        state.and_then(|state| state.downcast_mut())
    }
}

impl Clone for PlaceState {
    fn clone(&self) -> Self {
        Self { state: self.state.as_deref().map(State::clone_box), ticks: self.ticks }
    }

    fn clone_from(&mut self, source: &Self) {
        self.ticks = source.ticks;
        let assigned = match (self.state.as_deref_mut(), source.state.as_deref()) {
            (Some(state), Some(source)) => state.assign(source),
            _ => false,
        };
        if !assigned {
            self.state = source.state.as_deref().map(State::clone_box);
        }
    }
}

impl core::fmt::Debug for PlaceState {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PlaceState")
    }
}
