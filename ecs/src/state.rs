//! Game states: [`State`], a resource with the current variant of an enum, and the systems and
//! conditions that use it.
//!
//! A state is ordinary data of a world: clones, snapshots and saves contain it, and the schedule
//! says where it changes. The derive [`States`](macro@crate::States) makes one type for each
//! variant, so that conditions and transitions name variants as types and rustc checks them.
//! `states` has the traits of these types, `systems` what schedules name, `sub_state` states that
//! exist only in one variant of another one, `computed` states that follow from something else.
//!
//! ```
//! use ecs::prelude::*;
//!
//! #[derive(States)]
//! enum Phase {
//!     #[state(to(Play))]
//!     Menu,
//!     #[state(to(Menu))]
//!     Play,
//! }
//! #[derive(Event)]
//! struct Key(char);
//! #[derive(Resource, Default)]
//! struct Score(u32);
//!
//! world! {
//!     struct Game {
//!         resources { State<Phase> = State::new(Phase::Menu), Score = Score::default() }
//!         events    { Key(external) }
//!     }
//!     schedule frame {
//!         menu if in_state::<phase::Menu>;
//!         play if in_state::<phase::Play>;
//!         transition::<Phase>;                            // the only place where the state changes
//!         clear if entered::<phase::Play>;                // runs once after the change
//!     }
//! }
//!
//! #[system(Game)]
//! fn menu(mut keys: EventReader<Key>, mut state: ResMut<State<Phase>>) {
//!     if keys.iter().any(|key| key.0 == 's') {
//!         state.change::<phase::Menu, phase::Play>();     // checked by `cargo check`
//!     }
//! }
//!
//! #[system(Game)]
//! fn play(mut score: ResMut<Score>) {
//!     score.0 += 1;
//! }
//!
//! #[system(Game)]
//! fn clear(mut score: ResMut<Score>) {
//!     score.0 = 0;
//! }
//!
//! let mut game = Game::new();
//! game.send(Key('s'));
//! game.frame();
//! assert!(game.resource::<State<Phase>>().is(Phase::Play) && game.resource::<Score>().0 == 0);
//! game.frame();
//! assert_eq!(game.resource::<Score>().0, 1);
//! ```

mod computed;
mod despawn;
mod states;
mod sub_state;
mod systems;

use core::fmt;
use core::mem;

pub use self::computed::{ComputedState, compute_state};
pub use self::despawn::{DespawnOnEnter, DespawnOnExit, despawn_on_enter, despawn_on_exit};
use self::states::is_variant;
pub use self::states::{
    CanChangeTo, ComputedStates, RootState, StateResource, StateValue, StateVariant, States, SubStates,
};
pub use self::sub_state::{SubState, sub_transition};
pub use self::systems::{entered, exited, in_state, transition};

/// The current state of `S`, and the requested one. A resource.
///
/// A request, made by [`change`](Self::change) or [`set`](Self::set), takes effect where the
/// schedule names [`transition`]. Until then all systems see the old state.
///
/// The state remembers its latest transition until the next run of [`transition`](fn@transition),
/// also if that run changes nothing. So a system with the condition [`entered`](fn@entered) or
/// [`exited`](fn@exited) runs once for each transition, wherever a schedule names it, if the
/// schedule names [`transition`](fn@transition) once.
///
/// The first state, the argument of [`new`](Self::new), is entered by the first run of
/// [`transition`](fn@transition). If another state was requested before, that one is entered, and
/// the first state is never entered nor left. To begin anew, assign a new value:
/// `*game.resource_mut() = State::new(Phase::Menu)`.
#[derive(ecs_macros::Resource, Clone, PartialEq, Eq, Hash)]
#[resource(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State<S> {
    now: S,
    next: Option<S>,
    latest: LatestStep<S>,
}

/// The latest run of a transition.
#[derive(Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum LatestStep<S> {
    /// There was no run yet.
    Missing,
    /// The run changed nothing.
    Unchanged,
    /// The run entered the current state, and left the state `from`, which may be the same; `None`
    /// if it was the first run.
    Entered { from: Option<S> },
}

impl<S: States> State<S> {
    /// A state without a request.
    #[must_use]
    pub const fn new(first: S) -> Self {
        Self { now: first, next: None, latest: LatestStep::Missing }
    }

    /// The current state.
    #[must_use]
    pub const fn get(&self) -> &S {
        &self.now
    }

    /// Whether this is the current state, with the same data.
    #[must_use]
    pub fn is(&self, state: S) -> bool {
        self.now.is_same(&state)
    }

    /// The state that the next [`transition`] enters; `None` if none is requested.
    #[must_use]
    pub const fn requested(&self) -> Option<&S> {
        self.next.as_ref()
    }

    /// Requests the transition from one variant to another, which must be allowed: otherwise the
    /// program does not compile.
    ///
    /// Returns whether `From` is the current state; in another state nothing is requested. The last
    /// request before the [`transition`] counts.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(States, PartialEq, Debug)]
    /// enum Door { Open, #[state(to(Open))] Closed, #[state(to(Closed))] Locked }
    ///
    /// let mut door = State::new(Door::Locked);
    /// assert!(door.change::<door::Locked, door::Closed>());
    /// assert!(!door.change::<door::Closed, door::Open>()); // it is still locked
    /// door.transition();
    /// assert!(door.is(Door::Closed));
    /// ```
    ///
    /// ```compile_fail,E0277
    /// # use ecs::prelude::*;
    /// # #[derive(States, PartialEq, Debug)]
    /// # enum Door { Open, #[state(to(Open))] Closed, #[state(to(Closed))] Locked }
    /// let mut door = State::new(Door::Locked);
    /// door.change::<door::Locked, door::Open>();
    /// ```
    ///
    /// A state with data has no value in its type: it is requested by [`set`](Self::set).
    #[rustfmt::skip]
    pub fn change<From, To>(&mut self) -> bool // types: `change::<screen::A, screen::B>()`; a value: `set(Screen::B)`
    where
        From: StateVariant<States = S> + CanChangeTo<To, S>,
        To: StateValue<States = S>,
    {
        let is_current = is_variant::<From>(Some(&self.now));
        if is_current {
            self.next = Some(To::VALUE);
        }
        is_current
    }

    /// Requests the transition from the current state to a state that is known only at run time, or
    /// that has data.
    ///
    /// The last request before the [`transition`] counts. To request the current state withdraws an
    /// earlier request, unless the enum lists the transition from the state to itself.
    ///
    /// # Errors
    /// If the transition is not allowed. An earlier request remains.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(States, PartialEq, Debug)]
    /// # enum Door { Open, #[state(to(Open))] Closed, #[state(to(Closed))] Locked }
    /// let mut door = State::new(Door::Locked);
    /// assert!(door.set(Door::Open).is_err());
    /// door.set(Door::Closed)?;
    /// assert_eq!((door.get(), door.requested()), (&Door::Locked, Some(&Door::Closed)));
    /// # Ok::<(), ecs::state::TransitionError>(())
    /// ```
    pub fn set(&mut self, next: S) -> Result<(), TransitionError> {
        if self.now.allows(&next) {
            self.next = Some(next);
        } else if self.now.is_same(&next) {
            self.next = None;
        } else {
            let (from, to) = (self.now.state_name(), next.state_name());
            return Err(TransitionError { states: S::STATES_NAME, from, to });
        }
        Ok(())
    }

    /// The state that the latest [`transition`](Self::transition) entered; `None` if it changed
    /// nothing.
    #[must_use]
    pub const fn entered(&self) -> Option<&S> {
        match self.latest {
            LatestStep::Entered { .. } => Some(&self.now),
            LatestStep::Missing | LatestStep::Unchanged => None,
        }
    }

    /// The state that the latest [`transition`](Self::transition) left; `None` if it changed
    /// nothing, or began with the first state.
    #[must_use]
    pub const fn exited(&self) -> Option<&S> {
        match &self.latest {
            LatestStep::Entered { from } => from.as_ref(),
            LatestStep::Missing | LatestStep::Unchanged => None,
        }
    }

    /// Enters the requested state, or the first state if there was no transition before. The system
    /// [`transition`](fn@transition) calls it.
    ///
    /// A request that is not allowed is dropped: an edited save can have one.
    pub fn transition(&mut self) {
        let is_first = matches!(self.latest, LatestStep::Missing);
        self.latest = match self.next.take().filter(|next| self.now.allows(next)) {
            Some(next) => {
                let left = mem::replace(&mut self.now, next);
                LatestStep::Entered { from: (!is_first).then_some(left) }
            }
            None if is_first => LatestStep::Entered { from: None },
            None => LatestStep::Unchanged,
        };
    }
}

impl<S> State<S> {
    /// The current state by value.
    pub(crate) fn into_state(self) -> S {
        self.now
    }
}

// the current state
deref!([S] State<S> => S, |this| &this.now);

impl<S: States> StateResource<S> for State<S> {
    fn current(&self) -> Option<&S> {
        Some(&self.now)
    }
    fn entered(&self) -> Option<&S> {
        self.entered()
    }
    fn exited(&self) -> Option<&S> {
        self.exited()
    }
}

impl<S: States> RootState for State<S> {
    fn transition(&mut self) {
        self.transition();
    }
}

impl<S: States + Default> Default for State<S> {
    fn default() -> Self {
        Self::new(S::default())
    }
}

impl<S: States> fmt::Debug for State<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", S::STATES_NAME, self.now.state_name())?;
        self.next.as_ref().map_or(Ok(()), |next| write!(f, " -> {}", next.state_name()))
    }
}

/// A transition that the enum does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TransitionError {
    /// The name of the enum.
    pub states: &'static str,
    /// The name of the current state.
    pub from: &'static str,
    /// The name of the requested state.
    pub to: &'static str,
}

error!(TransitionError, |this, f| {
    let Self { states, from, to } = this;
    write!(
        f,
        "`{states}` has no transition from `{from}` to `{to}`: list it in `#[state(to(..))]` on the variant `{from}`"
    )
});
