//! A resource of legion.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game { components { Position, Velocity } resources { Clock = Clock(0.1) } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, #[resource] clock: &Clock) {
    position.0 += clock.0;
}

fn main() {}
