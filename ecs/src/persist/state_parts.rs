//! [`StateParts`]: the parts of a parameter's state that are saved with the world.

use super::state::SavedState;
use crate::entity::regrouped::Regrouped;

/// The state of a system parameter, and the parts of it that are saved with the world: none by
/// default.
pub trait StateParts {
    /// Calls `each` with each part that is saved.
    fn saved_states<'s>(&'s self, _each: &mut dyn FnMut(&'s dyn SavedState)) {}
    /// Calls `each` with each part that is saved, to load it.
    fn saved_states_mut<'s>(&'s mut self, _each: &mut dyn FnMut(&'s mut dyn SavedState)) {}
    /// Replaces the ids that the library keeps in the state, after entities were moved to other
    /// slots.
    fn regrouped(&mut self, _moved: &Regrouped) {}
}
