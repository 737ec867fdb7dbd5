//! Variants as values in place of types.
use ecs::prelude::*;

#[derive(States)]
enum Screen {
    Menu,
    Play,
}

fn main() {
    let mut state = State::new(Screen::Menu);
    state.change(Screen::Menu, Screen::Play);
}
