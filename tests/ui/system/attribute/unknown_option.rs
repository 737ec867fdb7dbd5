//! An option that systems do not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game, parallel)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
