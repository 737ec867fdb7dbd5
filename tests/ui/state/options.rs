//! Attributes with other options.
use ecs::prelude::*;

#[derive(States)]
#[states(scoped, module)]
enum Phase {
    #[state(from(Play))]
    Menu,
    #[state(to = Over)]
    Play,
    #[state]
    Over,
}

fn main() {}
