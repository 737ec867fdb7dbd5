//! An unsafe function as a system.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
unsafe fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
