//! A transition that the enum does not list, requested by its types.
use ecs::prelude::*;
use ecs_mechanics::minds::{Machine, StateMachine};

#[derive(StateMachine)]
enum Guard {
    #[state(to(Chase))]
    Patrol,
    #[state(to(Search))]
    Chase(Entity),
    #[state(to(Patrol, Chase))]
    Search,
}

world! {
    struct Castle { components { mind: Machine<Guard> } }
    schedule turn { calm_down }
}

#[system(Castle)]
fn calm_down(mind: &mut Machine<Guard>) {
    mind.change::<guard::Chase, guard::Patrol>(());
}

fn main() {}
