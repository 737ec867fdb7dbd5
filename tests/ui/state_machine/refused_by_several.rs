//! Several mistakes of one kind (state machine) in one program.
use ecs_mechanics::minds::{Machine, StateMachine};

#[derive(StateMachine)]
enum Guard {
    Patrol,
    Chase(u32),
}
#[derive(StateMachine)]
enum VariantForItsType {
    Patrol,
    Chase,
}

// A transition with data of another type than that of the state.
fn data_of_another_type() {
    Machine::<Guard>::default().change::<guard::Patrol, guard::Chase>(());
}

// A variant where the type of the state is asked for.
fn variant_for_its_type() {
    Machine::<VariantForItsType>::default().change::<VariantForItsType::Patrol, VariantForItsType::Chase>(());
}

fn main() {}
