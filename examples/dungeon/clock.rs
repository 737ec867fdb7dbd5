//! Time, which goes by turns, and the end of it.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// Counts turns.
#[derive(Resource, Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Clock {
    /// The turns that have passed.
    pub turn: u32,
    /// Whether the order that is being carried out takes time: walking into a wall does not.
    passes: bool,
}

impl Clock {
    /// An order is about to be carried out.
    pub fn begin(&mut self) {
        self.passes = false;
    }

    /// It takes a turn.
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

/// How the game stands.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    #[default]
    Playing,
    /// The hero has left with the prize.
    Won,
    /// The hero is dead.
    Lost,
}
