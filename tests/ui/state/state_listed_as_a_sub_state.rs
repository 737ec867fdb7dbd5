//! A state that is listed as a sub-state.
use ecs::prelude::*;
use ecs::state::{SubState, transition};

#[derive(States)]
enum Screen {
    Menu,
    Play,
}

world! {
    struct Game {
        resources { SubState<Screen> = SubState::new() }
    }
    schedule frame { transition::<Screen> }
}

fn main() {
    Game::new().frame();
}
