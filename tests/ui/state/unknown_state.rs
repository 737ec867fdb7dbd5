//! A transition to a variant that the enum does not have.
use ecs::prelude::*;

#[derive(States)]
enum Phase {
    #[state(to(Plan, Closed))]
    Menu,
    #[state(to(Menu, Menu))]
    Play,
}

fn main() {
    State::new(Phase::Menu).change::<phase::Menu, phase::Play>();
}
