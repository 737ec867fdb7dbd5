//! A transition with data of another type than that of the state.
use ecs_mechanics::minds::{Machine, StateMachine};

#[derive(StateMachine)]
enum Guard {
    Patrol,
    Chase(u32),
}

fn main() {
    Machine::<Guard>::default().change::<guard::Patrol, guard::Chase>(());
}
