//! The clock, which counts turns, and the outcome of the game.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// Counts turns.
#[derive(Resource, Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Clock {
    /// The turns that have passed.
    pub turn: u32,
    /// Whether the current order takes time: walking into a wall does not.
    passes: bool,
}

impl Clock {
    /// Begins an order, which takes no time at first.
    pub fn begin(&mut self) {
        self.passes = false;
    }

    /// Marks the current order as one that takes a turn.
    pub fn spend(&mut self) {
        if !self.passes {
            self.passes = true;
            self.turn = self.turn.saturating_add(1);
        }
    }

    pub fn passes(&self) -> bool {
        self.passes
    }
}

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
