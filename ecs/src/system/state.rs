//! What a system remembers from run to run.
//!
//! The states of a system's parameters are one boxed value whose type the world does not name: a world that named the
//! types of its systems' states would send the trait solver in circles.

use alloc::boxed::Box;
use core::any::Any;

/// The state of a system at one place.
pub struct PlaceState(Box<dyn State>);

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
        Self(Box::new(state))
    }

    /// No state: what stands in for one that is in use.
    pub(crate) fn none() -> Self {
        Self::new(())
    }

    /// The state.
    ///
    /// # Panics
    /// If it is of another type: the system is running already, further up the call stack.
    #[inline]
    pub fn get_mut<S: Any>(&mut self) -> &mut S {
        let state: &mut dyn Any = &mut *self.0;
        state.downcast_mut().expect("the state of this system is in use: it was called from inside itself")
    }
}

impl Clone for PlaceState {
    fn clone(&self) -> Self {
        Self((*self.0).clone_box())
    }
}

impl core::fmt::Debug for PlaceState {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PlaceState")
    }
}
