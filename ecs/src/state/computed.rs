//! [`ComputedState`], a state that a system computes from anything else.

use core::{fmt, mem};

use super::{ComputedStates, States};
use crate::system::{In, ResMut};

/// The current state of `S`, which a system computes from other states, resources or entities. A
/// resource.
///
/// The enum has `#[states(computed)]`. A schedule names the system that returns the state, or
/// `None` where there is none, before [`compute_state`]. Conditions, [`entered`](fn@super::entered)
/// and [`exited`](fn@super::exited) among them, and [`DespawnOnExit`](super::DespawnOnExit) take
/// computed states as any other states.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::state::{ComputedState, compute_state};
///
/// #[derive(States)]
/// enum Phase { Menu, Level(u8), Pause }
/// #[derive(States, PartialEq, Debug)]
/// #[states(computed)]
/// enum Music { Calm, Fast }
/// #[derive(Resource, Default)]
/// struct Log(Vec<&'static str>);
///
/// world! {
///     struct Game {
///         resources {
///             State<Phase> = State::new(Phase::Menu),
///             ComputedState<Music> = ComputedState::new(),
///             Log = Log::default(),
///         }
///     }
///     schedule frame {
///         transition::<Phase>;
///         choose_music | compute_state::<Music>;
///         play if entered::<music::Fast>;
///         stop if exited::<music::Fast>;
///     }
/// }
/// #[system(Game)]
/// fn choose_music(phase: Res<State<Phase>>) -> Option<Music> {
///     match phase.get() {
///         Phase::Menu => None,
///         Phase::Level(9..) => Some(Music::Fast),
///         Phase::Level(_) | Phase::Pause => Some(Music::Calm),
///     }
/// }
/// #[system(Game)]
/// fn play(mut log: ResMut<Log>) { log.0.push("play"); }
/// #[system(Game)]
/// fn stop(mut log: ResMut<Log>) { log.0.push("stop"); }
///
/// let mut game = Game::new();
/// for phase in [Phase::Level(8), Phase::Level(9), Phase::Level(10), Phase::Menu] {
///     game.resource_mut::<State<Phase>>().set(phase)?;
///     game.frame();
/// }
/// assert_eq!(game.resource::<Log>().0, ["play", "stop"]);
/// assert_eq!(game.resource::<ComputedState<Music>>().get(), None);
/// # Ok::<(), ecs::state::TransitionError>(())
/// ```
#[derive(ecs_macros::Resource, Clone, PartialEq, Eq, Hash)]
#[resource(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ComputedState<S> {
    now: Option<S>,
    /// Whether the latest run of `compute_state` entered the current state.
    is_entered: bool,
    /// The state that the latest run left.
    left: Option<S>,
}

impl<S> ComputedState<S> {
    /// No state, until [`compute_state`] runs.
    #[must_use]
    pub const fn new() -> Self {
        Self { now: None, is_entered: false, left: None }
    }

    /// The current state; `None` if there is none.
    #[must_use]
    pub const fn get(&self) -> Option<&S> {
        self.now.as_ref()
    }

    /// The state that the latest [`compute_state`] entered; `None` if it changed nothing.
    #[must_use]
    pub fn entered(&self) -> Option<&S> {
        self.now.as_ref().filter(|_| self.is_entered)
    }

    /// The state that the latest [`compute_state`] left; `None` if it left none.
    #[must_use]
    pub const fn exited(&self) -> Option<&S> {
        self.left.as_ref()
    }
}

impl<S: States> ComputedState<S> {
    /// Whether this is the current state, with the same data.
    #[must_use]
    pub fn is(&self, state: S) -> bool {
        self.now.as_ref().is_some_and(|now| now.is_same(&state))
    }

    /// Enters a state, unless it is the current one. The system
    /// [`compute_state`](fn@compute_state) calls it.
    pub fn transition(&mut self, next: Option<S>) {
        let is_same = match (&self.now, &next) {
            (Some(now), Some(next)) => now.is_same(next),
            (now, next) => now.is_none() && next.is_none(),
        };
        (self.is_entered, self.left) = (!is_same && next.is_some(), None);
        if !is_same {
            self.left = mem::replace(&mut self.now, next);
        }
    }
}

default!([S] ComputedState<S>);

impl<S: States> fmt::Debug for ComputedState<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.now {
            Some(now) => write!(f, "{}::{}", S::STATES_NAME, now.state_name()),
            None => write!(f, "no {}", S::STATES_NAME),
        }
    }
}

/// System: the [`ComputedState`] becomes the state that the system before it in a pipe returns.
///
/// Name it once in a schedule, as `choose_music | compute_state::<Music>`, behind the transition of the
/// states from which `choose_music` computes it. `choose_music` returns an `Option<Music>`.
#[ecs_macros::system(crate = crate)]
pub fn compute_state<S: ComputedStates>(next: In<Option<S>>, mut state: ResMut<'_, S::Resource>) {
    state.transition(next.0);
}
