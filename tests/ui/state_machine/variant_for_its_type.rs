//! A variant where the type of the state is asked for.
use ecs_mechanics::minds::{Machine, StateMachine};

#[derive(StateMachine)]
enum Guard {
    Patrol,
    Chase,
}

fn main() {
    Machine::<Guard>::default().change::<Guard::Patrol, Guard::Chase>(());
}
