//! A section that is written twice.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position }
        components { Velocity }
    }
}

fn main() {}
