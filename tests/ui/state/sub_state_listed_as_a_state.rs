//! A sub-state that is listed as a state of its own.
use ecs::prelude::*;
use ecs::state::{sub_transition, transition};

#[derive(States)]
enum Screen {
    Menu,
    Play,
}
#[derive(States)]
#[states(within = screen::Play)]
enum Turn {
    Player,
    Monsters,
}

world! {
    struct Game {
        resources { State<Screen> = State::new(Screen::Menu), State<Turn> = State::new(Turn::Player) }
    }
    schedule frame { transition::<Screen>; sub_transition::<Turn> }
}

fn main() {
    Game::new().frame();
}
