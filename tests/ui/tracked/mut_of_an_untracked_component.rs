//! A per-entity system that asks for `Mut` of a component that is not tracked.
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
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut position: Mut<Position>) {
    position.0 += 1.0;
}

fn main() {}
