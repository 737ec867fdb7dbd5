//! The message log.

use ecs::prelude::*;

/// All messages to the player, oldest first.
#[derive(Resource, Clone, Debug, Default, Reflect)]
pub struct Journal(Vec<Entry>);

/// One message.
#[derive(Clone, Debug, Reflect)]
pub struct Entry {
    pub turn: u64,
    pub tone: Tone,
    pub text: String,
}

/// The mood of a message for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
pub enum Tone {
    Plain,
    Good,
    Bad,
}

impl Journal {
    pub fn add(&mut self, turn: u64, tone: Tone, text: String) {
        self.0.push(Entry { turn, tone, text });
    }

    pub fn entries(&self) -> &[Entry] {
        &self.0
    }
}
