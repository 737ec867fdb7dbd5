//! The message log.

use ecs::prelude::*;

/// Everything that the player was told, oldest first.
#[derive(Resource, Clone, Debug, Default)]
pub struct Journal(Vec<Entry>);

/// One message.
#[derive(Clone, Debug)]
pub struct Entry {
    pub turn: u32,
    pub tone: Tone,
    pub text: String,
}

/// How the player will feel about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Good,
    Bad,
}

impl Journal {
    pub fn add(&mut self, turn: u32, tone: Tone, text: String) {
        self.0.push(Entry { turn, tone, text });
    }

    pub fn entries(&self) -> &[Entry] {
        &self.0
    }
}
