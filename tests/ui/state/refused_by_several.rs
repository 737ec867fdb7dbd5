//! Several mistakes of one kind (state) in one program.
use ecs::prelude::*;
use ecs::state::in_state;
use ecs::state::{DespawnOnExit, transition};

#[derive(States)]
enum Screen {
    Menu,
    Play,
}
#[derive(States)]
enum Phase {
    Menu,
    Play,
}
#[derive(States)]
#[states(within = Phase::Play)]
enum Turn {
    Player,
    Monsters,
}

world! {
    struct Game {
        components { DespawnOnExit<Phase> }
        resources { State<Phase> = State::new(Phase::Menu) }
    }
    schedule frame { transition::<Phase> }
}

world! {
    struct VariantForItsTypeGame { resources { State<Phase> = State::new(Phase::Menu) } }
    schedule frame { fight if in_state::<Phase::Play> }
}

// Variants as values in place of types.
fn change_with_values() {
    let mut state = State::new(Screen::Menu);
    state.change(Screen::Menu, Screen::Play);
}

// The variant itself, in place of its type.
#[system(VariantForItsTypeGame)]
fn fight() {}

fn main() {}
