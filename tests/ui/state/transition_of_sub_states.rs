//! The system for states, with sub-states.
use ecs::prelude::*;
use ecs::state::{SubState, transition};

#[derive(States)]
enum Phase {
    Menu,
    Play,
}

#[derive(States)]
#[states(within = phase::Play)]
enum Turn {
    Player,
    Monsters,
}

world! {
    struct Game {
        resources { State<Phase> = State::new(Phase::Menu), SubState<Turn> = SubState::new() }
    }
    schedule frame { transition::<Phase>; transition::<Turn> }
}

fn main() {}
