//! A period behind the condition of a step.

use ecs::prelude::*;

#[derive(Component, Clone)]
struct Health(u32);

world! {
    struct Game { components { Health } }
    schedule tick { movement if playing every 60; }
}

#[system(Game)]
fn heal(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

#[system(Game)]
fn playing() -> bool {
    true
}

#[system(Game)]
fn movement(health: &mut Health) {
    health.0 += 1;
}

fn main() {}
