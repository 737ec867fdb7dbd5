//! A system of machines for an enum that does not derive `StateMachine`.
use ecs::prelude::*;
use ecs_mechanics::minds::change_states;

enum Guard {
    Patrol,
}

world! {
    struct Castle {}
    schedule turn { change_states::<Guard> }
}

fn main() {}
