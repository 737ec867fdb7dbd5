//! Several mistakes of one kind (state machine) in one program: traits refuse them.
use ecs_mechanics::facts::Facts;
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
enum Need {
    Hungry,
}

// Facts of an enum that does not derive `Fact`.
fn no_facts() {
    Facts::new().set(Need::Hungry, true);
}

fn main() {}
