//! [`DespawnOnExit`], the component of entities that belong to a state.

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
    let Some(left) = state.exited().map(States::index) else { return };
    for (entity, DespawnOnExit(state)) in &marked {
        if state.index() == left {
            // its parent may be marked, too, and despawn it first
            commands.despawn_if_alive(entity);
        }
    }
}
