//! A state to which no transitions lead.
use ecs_mechanics::minds::StateMachine;

#[derive(StateMachine)]
enum Guard {
    #[state(to(Chase))]
    Patrol,
    #[state(to(Patrol))]
    Chase,
    #[state(to(Search, Patrol))]
    Search,
}

fn main() {}
