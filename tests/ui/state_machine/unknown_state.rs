//! A transition to a variant that the enum does not have, and one that is there twice.
use ecs_mechanics::minds::{Machine, StateMachine};

#[derive(StateMachine)]
enum Guard {
    #[state(to(Chace, Sleep))]
    Patrol,
    #[state(to(Patrol, Patrol))]
    Chase,
}

fn main() {
    Machine::<Guard>::default().change::<guard::Patrol, guard::Chase>(());
}
