//! A name behind the period of a step.

use ecs::prelude::*;

#[derive(Component, Clone)]
struct Health(u32);

world! {
    struct Game { components { Health } }
    schedule tick { heal(3) every 60 as healing; }
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
