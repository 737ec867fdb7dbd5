//! Entities that are to be despawned with a state, and no schedule names the system.
use ecs::prelude::*;
use ecs::state::{DespawnOnExit, transition};

#[derive(States)]
enum Phase {
    Menu,
    Play,
}

world! {
    struct Game {
        components { DespawnOnExit<Phase> }
        resources { State<Phase> = State::new(Phase::Menu) }
    }
    schedule frame { transition::<Phase> }
}

fn main() {}
