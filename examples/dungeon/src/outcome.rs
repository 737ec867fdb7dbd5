//! The outcome of the game.

use ecs::prelude::*;

/// The state of the game: running, won or lost.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
pub enum Outcome {
    #[default]
    Playing,
    /// The hero has left with the prize.
    Won,
    /// The hero is dead.
    Lost,
}
