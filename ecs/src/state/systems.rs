//! The systems and conditions for states, which schedules name: they run in every world with the resource.

use super::{State, StateVariant, States};
use crate::system::{Res, ResMut};

/// System: the [`State`] enters the requested state.
///
/// Name it once in a schedule, as `transition::<Phase>`. The systems before it see the old state, and those after it the new one.
#[ecs_macros::system(crate = crate)]
pub fn transition<S: States>(mut state: ResMut<'_, State<S>>) {
    state.transition();
}

/// Condition: the [`State`] is this one.
///
/// ```text
/// schedule frame { fight if in_state::<phase::Play> && !paused }
/// ```
#[ecs_macros::system(crate = crate)]
pub fn in_state<V: StateVariant>(state: Res<'_, State<V::States>>) -> bool {
    state.is(V::VALUE)
}
