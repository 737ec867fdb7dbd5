//! Fields with reserved names.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource, Default)]
struct Clock {
    step: f32,
}
#[derive(Resource, Default)]
struct Paused(bool);

world! {
    struct Game {
        components { self: Position, crate: Velocity }
        resources { _: Clock, __entities: Paused }
    }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {}
