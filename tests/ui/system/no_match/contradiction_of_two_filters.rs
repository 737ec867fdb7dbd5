//! A per-entity system with two filters that exclude each other.
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
fn movement(position: &mut Position, _: With<Frozen>, _: Without<Frozen>) {
    position.0 += 1.0;
}

fn main() {}
