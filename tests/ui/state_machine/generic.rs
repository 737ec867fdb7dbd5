//! A machine with a parameter.
use ecs_mechanics::minds::StateMachine;

#[derive(StateMachine)]
enum Guard<T> {
    Patrol,
    Chase(T),
}

fn main() {}
