//! A period in a unit that is not known.

use ecs::prelude::*;

#[derive(Component, Clone)]
struct Health(u32);

world! {
    struct Game { components { Health } }
    schedule tick { movement every 2 minutes; }
}

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
