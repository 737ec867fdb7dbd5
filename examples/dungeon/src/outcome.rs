//! The outcome of the game.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// The state of the game: running, won or lost.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    #[default]
    Playing,
    /// The hero has left with the prize.
    Won,
    /// The hero is dead.
    Lost,
}
