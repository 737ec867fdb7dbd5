//! States, delayed events and marked entities that code outside of the schedules brings forward, or that no system uses.
use ecs::prelude::*;
use ecs::state::{DespawnOnExit, in_state};
use ecs::time::Delayed;

#[derive(States)]
enum Phase {
    Menu,
    Play,
}
#[derive(Event)]
struct Explodes;

world! {
    struct Game {
        components { DespawnOnExit<Phase>(external) }
        resources { State<Phase>(external) = State::new(Phase::Menu), explosions: Delayed<Explodes>(external) = Delayed::new() }
        events { Explodes(external) }
    }
    schedule frame { plan if in_state::<phase::Menu> }
}

world! {
    struct Unused { resources { State<Phase> = State::new(Phase::Menu) } }
    schedule frame { nothing }
}

#[system]
fn plan(mut explosions: ResMut<Delayed<Explodes>>) {
    explosions.retain(|_, _| true);
}
#[system]
fn nothing() {}

pub fn main() {
    let mut game = Game::new();
    game.resource_mut::<State<Phase>>().transition();
    game.frame();
    Unused::new().frame();
}
