//! A state with sub-states whose field is the enum of the sub-states itself.
use ecs_mechanics::minds::StateMachine;

#[derive(StateMachine)]
enum Guard {
    Patrol,
    #[state(nested)]
    Alert(Mood),
}

#[derive(StateMachine)]
enum Mood {
    Search,
    Chase,
}

fn main() {}
