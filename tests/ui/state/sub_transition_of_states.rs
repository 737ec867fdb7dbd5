//! The system for sub-states, with states that have no parent.
use ecs::prelude::*;
use ecs::state::sub_transition;

#[derive(States)]
enum Phase {
    Menu,
    Play,
}

world! {
    struct Game {
        resources { State<Phase> = State::new(Phase::Menu) }
    }
    schedule frame { sub_transition::<Phase> }
}

fn main() {}
