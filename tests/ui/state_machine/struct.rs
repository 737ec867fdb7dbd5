//! A machine that is no enum.
use ecs_mechanics::minds::StateMachine;

#[derive(StateMachine)]
struct Guard {
    is_awake: bool,
}

fn main() {}
