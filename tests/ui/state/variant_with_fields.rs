//! A state with data.
use ecs::prelude::*;

#[derive(States)]
enum Phase {
    Menu,
    Play { level: u32 },
    Over(u32),
}

fn main() {}
