//! Options that the derive does not know, one that is there twice, and a list without parentheses.
use ecs_mechanics::minds::StateMachine;

#[derive(StateMachine)]
#[machine(modul = guards)]
enum Guard {
    #[state(too(Chase))]
    Patrol,
    #[state(initial, initial)]
    Chase,
    #[state(to = Patrol)]
    Search,
}

fn main() {}
