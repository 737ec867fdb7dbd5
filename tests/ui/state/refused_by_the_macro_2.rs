//! Several mistakes of one kind (state) in one program: the macros report them.
use ecs::prelude::*;
use ecs::state::{sub_transition, transition};

#[derive(States)]
enum Phase {}
#[derive(States)]
#[allow(non_camel_case_types)]
enum phase {
    Menu,
    Play,
}
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
        resources {
            State<Screen> = State::new(Screen::Menu), State<Turn> = State::new(Turn::Player)
        }
    }
    schedule frame { transition::<Screen>; sub_transition::<Turn> }
}

// A sub-state that is listed as a state of its own.
fn sub_state_listed_as_a_state() {
    Game::new().frame();
}

fn main() {}
