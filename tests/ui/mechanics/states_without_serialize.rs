//! A machine whose enum of states cannot be saved, in a world that is.
use ecs::prelude::*;
use ecs_mechanics::minds::{Machine, StateMachine};
use serde::{Deserialize, Serialize};

#[derive(StateMachine)]
enum Guard {
    #[state(to(Chase))]
    Patrol,
    #[state(to(Patrol))]
    Chase,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Castle {
        components { mind: Machine<Guard> }
    }
}

fn main() {}
