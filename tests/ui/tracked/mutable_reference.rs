//! A per-entity system that borrows a tracked component with `&mut`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Health, Frozen } }
    schedule tick { heal }
}

#[system(Game)]
fn heal(health: &mut Health) {
    health.0 += 1;
}

fn main() {}
