//! Sections with a sign before their braces, in other brackets, and with commas between them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game {
        components: { Position, Velocity },
        resources [ Clock ]
        events = []
    }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {}
