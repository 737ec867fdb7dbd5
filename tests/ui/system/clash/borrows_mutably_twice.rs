//! Two parameters of a per-entity system that borrow one component mutably.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { swap }
}

#[system(Game)]
fn swap(one: &mut Position, velocity: &Velocity, other: &mut Position) {
    one.0 += velocity.0;
    std::mem::swap(one, other);
}

fn main() {}
