//! A per-entity system with a filter that excludes a component of its elements.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity, _: Without<Velocity>) {
    position.0 += velocity.0;
}

fn main() {}
