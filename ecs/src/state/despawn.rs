//! [`DespawnOnExit`], the component of entities that belong to a state, and [`DespawnOnEnter`],
//! that of entities that a state ends.

use super::{StateResource, States};
use crate::command::Commands;
use crate::component::Has;
use crate::entity::Entity;
use crate::query::{AllowDisabled, Query};
use crate::resource::HasResource;
use crate::system::Res;
use crate::world::World;

/// Component: the system [`despawn_on_exit`] despawns the entity when this state is left.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::state::{DespawnOnExit, despawn_on_exit};
///
/// #[derive(States)]
/// enum Phase { Menu, Play }
///
/// world! {
///     struct Game {
///         components { DespawnOnExit<Phase> }
///         resources  { State<Phase> = State::new(Phase::Menu) }
///     }
///     schedule frame {
///         transition::<Phase>;
///         despawn_on_exit::<Phase>;
///         show_menu if entered::<phase::Menu>;
///     }
/// }
/// #[system(Game)]
/// fn show_menu(mut commands: Commands<Game>) {
///     commands.spawn(DespawnOnExit(Phase::Menu));
/// }
///
/// let mut game = Game::new();
/// game.frame();
/// assert_eq!(game.entities().len(), 1);
/// game.resource_mut::<State<Phase>>().change::<phase::Menu, phase::Play>();
/// game.frame();
/// assert_eq!(game.entities().len(), 0);
/// ```
#[derive(ecs_macros::Component, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[component(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DespawnOnExit<S>(pub S);

/// System: despawns the entities whose [`DespawnOnExit`] has the state that the latest
/// [`transition`](fn@super::transition) left.
///
/// Name it behind [`transition`](fn@super::transition), as `despawn_on_exit::<Phase>`, and before
/// the systems that spawn entities of the entered state. Entities are despawned when the stage
/// ends. The cost without a transition is one comparison, otherwise one comparison for each entity
/// with the component.
#[ecs_macros::system(W, crate = crate)]
pub fn despawn_on_exit<W: World + Has<DespawnOnExit<S>> + HasResource<S::Resource>, S: States>(
    state: Res<'_, S::Resource>,
    marked: Query<'_, (Entity, &DespawnOnExit<S>), AllowDisabled>,
    mut commands: Commands<'_, W>,
) {
    if let Some(left) = state.exited() {
        despawn_marked(left, marked.iter().map(|(entity, mark)| (entity, &mark.0)), &mut commands);
    }
}

/// Despawns the entities that are marked with this state.
fn despawn_marked<'m, W: World, S: States>(
    state: &S,
    marked: impl Iterator<Item = (Entity, &'m S)>,
    commands: &mut Commands<'_, W>,
) {
    for (entity, _) in marked.filter(|(_, mark)| mark.is_same(state)) {
        // its parent may be marked, too, and despawn it first
        commands.despawn_if_alive(entity);
    }
}

/// Component: the system [`despawn_on_enter`] despawns the entity when this state is entered.
///
/// Unlike [`DespawnOnExit`] it may have a state that is not the current one: the entity lives
/// through any other states until then.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::state::{DespawnOnEnter, despawn_on_enter};
///
/// #[derive(States)]
/// enum Phase { Menu, Play, Pause }
///
/// world! {
///     struct Game {
///         components { DespawnOnEnter<Phase> }
///         resources  { State<Phase> = State::new(Phase::Play) }
///     }
///     schedule frame { transition::<Phase>; despawn_on_enter::<Phase> }
/// }
///
/// let mut game = Game::new();
/// game.spawn(DespawnOnEnter(Phase::Menu));        // a score that a pause leaves
/// for (phase, left) in [(Phase::Pause, 1), (Phase::Play, 1), (Phase::Menu, 0)] {
///     game.resource_mut::<State<Phase>>().set(phase)?;
///     game.frame();
///     assert_eq!(game.entities().len(), left);
/// }
/// # Ok::<(), ecs::state::TransitionError>(())
/// ```
#[derive(ecs_macros::Component, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[component(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DespawnOnEnter<S>(pub S);

/// System: despawns the entities whose [`DespawnOnEnter`] has the state that the latest
/// [`transition`](fn@super::transition) entered.
///
/// For its place in a schedule and its cost see [`despawn_on_exit`].
#[ecs_macros::system(W, crate = crate)]
pub fn despawn_on_enter<W: World + Has<DespawnOnEnter<S>> + HasResource<S::Resource>, S: States>(
    state: Res<'_, S::Resource>,
    marked: Query<'_, (Entity, &DespawnOnEnter<S>), AllowDisabled>,
    mut commands: Commands<'_, W>,
) {
    if let Some(entered) = state.entered() {
        despawn_marked(entered, marked.iter().map(|(entity, mark)| (entity, &mark.0)), &mut commands);
    }
}
