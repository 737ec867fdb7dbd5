//! Several mistakes of one kind (schedule) in one program: rustc reports them as E0308.
use ecs::prelude::*;

#[derive(Component, Clone)]
struct Health(u32);

world! {
    struct Game { components { Health } }
    schedule tick { heal("a lot"); }
    schedule input_of_several_arguments_tick { heal(3, 4); }
}

// An argument of another type than the input of the system.
#[system(Game)]
fn heal(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

#[system(Game)]
fn movement(health: &mut Health) {
    health.0 += 1;
}

#[system(Game)]
fn total(healths: Query<&Health>) -> u32 {
    healths.iter().map(|health| health.0).sum()
}

#[system(Game)]
fn playing() -> bool {
    true
}

fn main() {}
