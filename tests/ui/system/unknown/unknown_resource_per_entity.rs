//! A resource that the world does not have, beside a per-entity parameter.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, clock: Res<Clock>) {
    position.0 += clock.0;
}

fn main() {}
