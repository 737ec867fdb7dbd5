//! A component whose type does not exist.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position, Velocty }
    }
}

fn main() {}
