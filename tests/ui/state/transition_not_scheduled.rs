//! A state whose transition no schedule names.
use ecs::prelude::*;
use ecs::state::{SubState, in_state, transition};

#[derive(States)]
enum Phase {
    Menu,
    Play,
}
#[derive(States)]
#[states(within = phase::Play)]
enum Turn {
    Player,
    Monsters,
}

world! {
    struct Game { resources { State<Phase> = State::new(Phase::Menu) } }
    schedule frame { start if in_state::<phase::Menu> }
}

world! {
    struct Board { resources { State<Phase> = State::new(Phase::Menu), turn: SubState<Turn> = SubState::new() } }
    schedule frame { transition::<Phase>; play if in_state::<turn::Player> }
}

#[system]
fn start(mut phase: ResMut<State<Phase>>) {
    phase.change::<phase::Menu, phase::Play>();
}
#[system]
fn play() {}

fn main() {}
