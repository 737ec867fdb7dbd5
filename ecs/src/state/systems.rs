//! The systems and conditions for states, which schedules name: they run in every world with the
//! resource.

use super::{
    ComputedState, DespawnOnEnter, DespawnOnExit, RootState, State, StateResource, StateVariant, States,
    SubState, is_variant,
};
use crate::check::StepsOf;
use crate::system::{Res, ResMut};

/// System: the [`State`](super::State) enters the requested state.
///
/// Name it once in a schedule, as `transition::<Phase>`. The systems before it see the old state,
/// and those after it the new one. Its first run enters the first state.
#[ecs_macros::system(crate = crate)]
pub fn transition<S: States>(mut state: ResMut<'_, S::Resource>)
where
    S::Resource: RootState,
{
    state.transition();
}

/// Condition: the [`State`](super::State), or the [`SubState`](super::SubState), is this one.
///
/// ```text
/// schedule frame { fight if in_state::<phase::Play> && !paused }
/// ```
///
/// # Events
/// A system reads the events of its state. While `in_state` skips a system, or its group or
/// schedule, the events that wait for an [`EventReader`](crate::EventReader) of the system count as
/// read. So the click by which the menu starts the game is not a click in the game, although both
/// states read clicks:
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(States, PartialEq, Debug)]
/// enum Phase { Menu, Play }
/// #[derive(Event)]
/// struct Click;
///
/// world! {
///     struct Game { resources { State<Phase> = State::new(Phase::Menu) } events { Click(external) } }
///     schedule frame {
///         transition::<Phase>;
///         start if in_state::<phase::Menu>;
///         stop if in_state::<phase::Play>;
///     }
/// }
/// #[system(Game)]
/// fn start(mut clicks: EventReader<Click>, mut state: ResMut<State<Phase>>) {
///     clicks.iter().for_each(|_| _ = state.change::<phase::Menu, phase::Play>());
/// }
/// #[system(Game)]
/// fn stop(mut clicks: EventReader<Click>, mut state: ResMut<State<Phase>>) {
///     clicks.iter().for_each(|_| _ = state.change::<phase::Play, phase::Menu>());
/// }
///
/// let mut game = Game::new();
/// game.send(Click);
/// (0..4).for_each(|_| game.frame());
/// assert!(game.resource::<State<Phase>>().is(Phase::Play));
/// ```
///
/// An event that is declared with `skip = keep` waits for its readers in all states. Events that
/// are sent in the run of the schedule in which the state is entered are read in it: a system
/// behind [`transition`](fn@transition) reads the events that systems before it have sent, and also
/// the click that they have read. Name [`transition`](fn@transition) before or behind the systems
/// of all states. If another part of the condition is false, as in
/// `in_state::<phase::Play> && !paused` while the game is paused, events wait.
#[ecs_macros::system(crate = crate, of_state)]
pub fn in_state<V: StateVariant>(state: Res<'_, <V::States as States>::Resource>) -> bool {
    is_variant::<V>(state.current())
}

/// Condition: the latest [`transition`](fn@transition), or
/// [`sub_transition`](fn@super::sub_transition), entered this state.
///
/// It holds from a run of [`transition`](fn@transition) to the next one: a system behind it runs
/// once for each time that the state is entered, in the same run of the schedule, and a system
/// before it in the next run.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(States)]
/// enum Phase { Menu, Play }
/// #[derive(Resource, Default)]
/// struct Log(Vec<&'static str>);
///
/// world! {
///     struct Game { resources { State<Phase> = State::new(Phase::Menu), Log = Log::default() } }
///     schedule frame {
///         transition::<Phase>;
///         hide_menu if exited::<phase::Menu>;
///         start if entered::<phase::Play>;
///     }
/// }
/// #[system(Game)]
/// fn hide_menu(mut log: ResMut<Log>) { log.0.push("hide"); }
/// #[system(Game)]
/// fn start(mut log: ResMut<Log>) { log.0.push("start"); }
///
/// let mut game = Game::new();
/// game.frame();                                           // enters the menu
/// game.resource_mut::<State<Phase>>().change::<phase::Menu, phase::Play>();
/// game.frame();
/// game.frame();
/// assert_eq!(game.resource::<Log>().0, ["hide", "start"]);
/// ```
#[ecs_macros::system(crate = crate)]
pub fn entered<V: StateVariant>(state: Res<'_, <V::States as States>::Resource>) -> bool {
    is_variant::<V>(state.entered())
}

/// Condition: the latest [`transition`](fn@transition) left this state. It holds as long as
/// [`entered`](fn@entered) of the new state.
#[ecs_macros::system(crate = crate)]
pub fn exited<V: StateVariant>(state: Res<'_, <V::States as States>::Resource>) -> bool {
    is_variant::<V>(state.exited())
}

impl<S> StepsOf<State<S>> {
    /// The state changes in this system.
    pub const STEPS: &'static [&'static str] = &["transition"];
}

impl<S> StepsOf<SubState<S>> {
    /// The sub-state changes in this system.
    pub const STEPS: &'static [&'static str] = &["sub_transition"];
}

impl<S> StepsOf<ComputedState<S>> {
    /// The state changes in this system.
    pub const STEPS: &'static [&'static str] = &["compute_state"];
}

impl<S> StepsOf<DespawnOnEnter<S>> {
    /// The entities are despawned in this system.
    pub const STEPS: &'static [&'static str] = &["despawn_on_enter"];
}

impl<S> StepsOf<DespawnOnExit<S>> {
    /// The entities are despawned in this system.
    pub const STEPS: &'static [&'static str] = &["despawn_on_exit"];
}
