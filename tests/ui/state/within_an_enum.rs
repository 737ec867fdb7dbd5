//! The enum of the parent, in place of the type of one variant.
use ecs::prelude::*;

#[derive(States)]
enum Phase {
    Menu,
    Play,
}

#[derive(States)]
#[states(within = Phase)]
enum Turn {
    Player,
    Monsters,
}

fn main() {}
