//! Several mistakes of one kind (state machine) in one program: the macros report them.
use ecs_mechanics::minds::StateMachine;

#[derive(StateMachine)]
enum Guard {
    Patrol { next: u32 },
    Chase(u32, u32),
    #[state(nested)]
    Alert,
}
#[derive(StateMachine)]
enum Generic<T> {
    Patrol,
    Chase(T),
}
#[derive(StateMachine)]
enum NeverEntered {
    #[state(to(Chase))]
    Patrol,
    #[state(to(Patrol))]
    Chase,
    #[state(to(Search, Patrol))]
    Search,
}
#[derive(StateMachine)]
#[machine(modul = guards)]
enum Options {
    #[state(too(Chase))]
    Patrol,
    #[state(initial, initial)]
    Chase,
    #[state(to = Patrol)]
    Search,
}
#[derive(StateMachine)]
struct Struct {
    is_awake: bool,
}

fn main() {}
