//! A state of a type that does not derive `States`.
use ecs::prelude::*;
use ecs::state::transition;

enum Phase {
    Menu,
    Play,
}

world! {
    struct Game {
        resources { State<Phase> }
    }
    schedule frame { transition::<Phase> }
}

fn main() {}
