//! A condition that runs once for each entity.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

world! {
    struct Game { components { Health } }
    schedule tick { heal if alive }
}

#[system(Game)]
fn alive(health: &Health) -> bool {
    health.0 > 0
}

#[system(Game)]
fn heal(health: &mut Health) {
    health.0 += 1;
}

fn main() {}
