//! States with several fields and with named ones, and a state that has no field for its sub-states.
use ecs_mechanics::minds::StateMachine;

#[derive(StateMachine)]
enum Guard {
    Patrol { next: u32 },
    Chase(u32, u32),
    #[state(nested)]
    Alert,
}

fn main() {}
