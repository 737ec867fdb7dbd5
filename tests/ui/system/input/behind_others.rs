//! An input behind another parameter.

use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

world! {
    struct Game { components { Health } }
    schedule tick { heal(3) }
}

#[system(Game)]
fn heal(health: &mut Health, amount: In<u32>) {
    health.0 += *amount;
}

fn main() {}
