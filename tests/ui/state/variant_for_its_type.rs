//! The variant itself, in place of its type.
use ecs::prelude::*;
use ecs::state::in_state;

#[derive(States)]
enum Phase {
    Menu,
    Play,
}

world! {
    struct Game {
        resources { State<Phase> = State::new(Phase::Menu) }
    }
    schedule frame { fight if in_state::<Phase::Play> }
}

#[system(Game)]
fn fight() {}

fn main() {}
