//! States in parentheses, which the systems take as types.
use ecs::prelude::*;
use ecs::state::{entered, exited, transition};

#[derive(States)]
enum Phase {
    Menu,
    Play,
}

world! {
    struct Game { resources { State<Phase> = State::new(Phase::Menu) } }
    schedule tick { transition(Phase); start if entered(Phase::Play), stop if exited::<Phase::Menu> }
}

#[system]
fn start() {}
#[system]
fn stop() {}

fn main() {}
