//! `every` with a resource that is no clock.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        components { Position }
        resources { clock: Clock = Clock(0.0) }
    }
    schedule tick every Clock { movement }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
