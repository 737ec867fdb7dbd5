//! A machine without states.
use ecs_mechanics::minds::StateMachine;

#[derive(StateMachine)]
enum Guard {}

fn main() {}
