//! `State` is the resource, and not the derive.
use ecs::prelude::*;

#[derive(State, PartialEq, Debug)]
enum Screen {
    #[state(to(Play))]
    Menu,
    #[state(to(Menu))]
    Play,
}

/// A module has the name that the module of the states would have.
#[derive(State)]
enum Door {
    Open,
    Shut,
}
mod door {}

world! {
    struct Game {
        resources { screen: State<Screen> = State::new(Screen::Menu) }
    }
    schedule tick { transition::<Screen>; play if in_state::<screen::Play> }
}

#[system(Game)]
fn play() {}

fn main() {
    Game::new().tick();
}
