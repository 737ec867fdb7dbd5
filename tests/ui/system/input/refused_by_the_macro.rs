//! Several mistakes of one kind (system, input) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

world! {
    struct Game { components { Health } }
    schedule tick { heal(3) }
    schedule of_a_plain_type_tick { spawn(3) }
}

// An input behind another parameter.
#[system(Game)]
fn heal(health: &mut Health, amount: In<u32>) {
    health.0 += *amount;
}

// A parameter that is a number, which is meant to be an input.
#[system(Game)]
fn spawn(number: usize) {
    println!("{number}");
}

fn main() {}
