//! Several mistakes of one kind (state machine) in one program: the macros report them.
use ecs_mechanics::facts::Fact;
use ecs_mechanics::minds::StateMachine;

#[derive(StateMachine)]
enum Guard {}
#[derive(Fact)]
enum Need {
    Hungry,
    HasGold(u32),
}
#[derive(Fact)]
struct Tired;

fn main() {}
