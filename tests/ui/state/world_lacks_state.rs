//! A schedule with a condition on a state that the world does not list.
use ecs::prelude::*;
use ecs::state::in_state;

#[derive(States)]
enum Phase {
    Menu,
    Play,
}

world! {
    struct Game {}
    schedule frame { fight if in_state::<phase::Play> }
}

#[system(Game)]
fn fight() {}

fn main() {}
