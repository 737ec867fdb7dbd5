//! Changing a component that the query borrows shared.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {}
