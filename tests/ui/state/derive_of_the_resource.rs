//! `State` is the resource, and not the derive.
use ecs::prelude::*;

#[derive(State, PartialEq, Debug)]
enum Screen {
    #[state(to(Play))]
    Menu,
    #[state(to(Menu))]
    Play,
}

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
