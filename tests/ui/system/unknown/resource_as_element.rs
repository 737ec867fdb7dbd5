//! A resource by reference, in place of `Res`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game {
        components { Position }
        resources { clock: Clock = Clock::default() }
    }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, clock: &Clock) {
    position.0 += clock.0;
}

fn main() {}
