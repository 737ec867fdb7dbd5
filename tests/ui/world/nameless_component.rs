//! A component whose type gives no field name.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position, (f32, f32) }
    }
}

fn main() {}
