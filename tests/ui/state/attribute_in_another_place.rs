//! `#[state(..)]` before the enum, and `#[states(..)]` before a variant.
use ecs::prelude::*;

#[derive(States)]
#[state(to(Play))]
enum Phase {
    #[states(to(Play))]
    Menu,
    Play,
}

fn main() {}
