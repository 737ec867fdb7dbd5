//! A machine that begins in a state that is not initial.
use ecs_mechanics::minds::{Machine, StateMachine};

#[derive(StateMachine)]
enum Guard {
    Patrol,
    Chase,
}

fn main() {
    Machine::<Guard>::begin::<guard::Chase>(());
}
