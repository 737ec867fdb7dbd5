//! A component that is listed twice.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { position: Position, Velocity, place: Position }
    }
}

fn main() {}
