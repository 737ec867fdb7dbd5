//! What a system remembers from run to run.
//!
//! The states of a system's parameters are one boxed value whose type the world does not name: a world that named the
//! types of its systems' states would send the trait solver in circles.

use alloc::boxed::Box;
use core::any::Any;

/// The state of a system at one place.
pub struct PlaceState(Option<Box<dyn State>>);

trait State: Any + Send + Sync {
    fn clone_box(&self) -> Box<dyn State>;
}

impl<S: Any + Send + Sync + Clone> State for S {
    fn clone_box(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}

impl PlaceState {
    /// A state of any type.
    pub fn new<S: Any + Send + Sync + Clone>(state: S) -> Self {
        Self(Some(Box::new(state)))
    }

    /// The state, to be put back later; `None` if it is out already.
    pub(crate) fn take(&mut self) -> Option<Self> {
        self.0.take().map(|state| Self(Some(state)))
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
        let state = self.0.as_deref_mut().map(|state| state as &mut dyn Any);
        state.and_then(|state| state.downcast_mut())
    }
}

impl Clone for PlaceState {
    fn clone(&self) -> Self {
        Self(self.0.as_deref().map(State::clone_box))
    }
}

impl core::fmt::Debug for PlaceState {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PlaceState")
    }
}
