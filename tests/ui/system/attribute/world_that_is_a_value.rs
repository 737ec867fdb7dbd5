//! A variable where the world's type is expected.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
