//! The variant of the parent, in place of its type.
use ecs::prelude::*;

#[derive(States)]
enum Phase {
    Menu,
    Play,
}

#[derive(States)]
#[states(within = Phase::Play)]
enum Turn {
    Player,
    Monsters,
}

fn main() {}
