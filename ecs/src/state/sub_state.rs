//! [`SubState`], a state that exists only while another state has one variant.

use core::fmt;

use super::{
    CanChangeTo, State, StateResource, StateValue, StateVariant, States, SubStates, TransitionError,
    is_variant,
};
use crate::system::{Res, ResMut};

/// The current state of `S`, which exists only while another state is the
/// [`Parent`](SubStates::Parent) of `S`. A resource.
///
/// [`sub_transition`] enters the first state of `S` when the parent is entered, and leaves the
/// current one when the parent is left. Between, it applies requests as
/// [`transition`](fn@super::transition) does. Conditions and
/// [`DespawnOnExit`](super::DespawnOnExit) take sub-states as any other states.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::state::{SubState, sub_transition};
///
/// #[derive(States)]
/// enum Phase { Menu, Play }
/// #[derive(States)]
/// #[states(within = phase::Play)]
/// enum Turn { Player, Monsters }
///
/// world! {
///     struct Game { resources { State<Phase> = State::new(Phase::Menu), SubState<Turn> = SubState::new() } }
///     schedule frame {
///         attack if in_state::<turn::Monsters>;
///         transition::<Phase>;
///         sub_transition::<Turn>;
///     }
/// }
/// #[system(Game)]
/// fn attack(mut state: ResMut<State<Phase>>) { state.change::<phase::Play, phase::Menu>(); }
///
/// let mut game = Game::new();
/// game.frame();
/// assert!(game.resource::<SubState<Turn>>().get().is_none());
/// game.resource_mut::<State<Phase>>().change::<phase::Menu, phase::Play>();
/// game.frame();
/// assert!(game.resource::<SubState<Turn>>().is(Turn::Player));
/// game.resource_mut::<SubState<Turn>>().change::<turn::Player, turn::Monsters>();
/// game.frame();
/// assert!(game.resource::<SubState<Turn>>().is(Turn::Monsters));
/// game.frame();
/// assert!(game.resource::<SubState<Turn>>().get().is_none());
/// ```
#[derive(ecs_macros::Resource, Clone, PartialEq, Eq, Hash)]
#[resource(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SubState<S> {
    active: Option<State<S>>,
    /// The state that was left with the parent by the latest transition.
    left: Option<S>,
}

impl<S> SubState<S> {
    /// No state, until the parent is entered.
    #[must_use]
    pub const fn new() -> Self {
        Self { active: None, left: None }
    }

    /// The state and its request; `None` outside of the parent.
    #[must_use]
    pub const fn active(&self) -> Option<&State<S>> {
        self.active.as_ref()
    }

    /// The state, for requests; `None` outside of the parent.
    #[must_use]
    pub const fn active_mut(&mut self) -> Option<&mut State<S>> {
        self.active.as_mut()
    }
}

impl<S: States> SubState<S> {
    /// The current state; `None` outside of the parent.
    #[must_use]
    pub fn get(&self) -> Option<&S> {
        self.active.as_ref().map(State::get)
    }

    /// Whether this is the current state.
    #[must_use]
    pub fn is(&self, state: S) -> bool {
        self.active.as_ref().is_some_and(|active| active.is(state))
    }

    /// Requests an allowed transition, as [`State::change`]. Returns whether `From` is the current
    /// state.
    pub fn change<From, To>(&mut self) -> bool
    where
        From: StateVariant<States = S> + CanChangeTo<To, S>,
        To: StateValue<States = S>,
    {
        self.active.as_mut().is_some_and(State::change::<From, To>)
    }

    /// Requests a transition to a state that is known only at run time, or that has data, as
    /// [`State::set`]. Returns whether there is a current state; outside of the parent nothing is
    /// requested.
    ///
    /// # Errors
    /// If the transition is not allowed. An earlier request remains.
    pub fn set(&mut self, next: S) -> Result<bool, TransitionError> {
        self.active.as_mut().map_or(Ok(false), |active| active.set(next).map(|()| true))
    }

    /// The state that the latest [`sub_transition`] entered; `None` if it changed nothing.
    #[must_use]
    pub fn entered(&self) -> Option<&S> {
        self.active.as_ref().and_then(State::entered)
    }

    /// The state that the latest [`sub_transition`] left, alone or with the parent; `None` if it
    /// left none.
    #[must_use]
    pub fn exited(&self) -> Option<&S> {
        self.left.as_ref().or_else(|| self.active.as_ref().and_then(State::exited))
    }
}

impl<S: SubStates> SubState<S> {
    /// Applies the latest transition of the parent, then the request. The system
    /// [`sub_transition`](fn@sub_transition) calls it.
    pub fn transition(&mut self, parent: &impl StateResource<<S::Parent as StateVariant>::States>) {
        let is_active = is_variant::<S::Parent>(parent.current());
        let is_new = is_variant::<S::Parent>(parent.entered());
        self.left = None;
        if is_new || !is_active {
            self.left = self.active.take().map(State::into_state);
        }
        if is_active {
            self.active.get_or_insert_with(|| State::new(S::FIRST)).transition();
        }
    }
}

default!([S] SubState<S>);

impl<S: States> fmt::Debug for SubState<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.active {
            Some(active) => active.fmt(f),
            None => write!(f, "no {}", S::STATES_NAME),
        }
    }
}

/// System: the [`SubState`] begins and ends with its parent, and enters the requested state.
///
/// Name it once in a schedule, as `sub_transition::<Turn>`, after the
/// [`transition`](fn@super::transition) of the parent. A run of the parent's transition that enters
/// the parent again begins with the first state of `S`.
#[ecs_macros::system(crate = crate)]
pub fn sub_transition<S: SubStates>(
    parent: Res<'_, <<S::Parent as StateVariant>::States as States>::Resource>,
    mut state: ResMut<'_, S::Resource>,
) {
    state.transition(&*parent);
}
