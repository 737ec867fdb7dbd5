//! A type parameter as the world that the function does not declare.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(W)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
