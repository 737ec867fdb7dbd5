//! A world without the component of a system of the library.
use ecs::prelude::*;
use ecs::state::{despawn_on_exit, transition};

#[derive(States)]
enum Phase {
    Menu,
    Play,
}

world! {
    struct Game {
        resources { State<Phase> = State::new(Phase::Menu) }
    }
    schedule frame { transition::<Phase>; despawn_on_exit::<Phase> }
}

fn main() {}
