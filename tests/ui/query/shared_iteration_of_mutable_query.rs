//! A query that writes, iterated by a shared reference.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(bodies: Query<&mut Position>) {
    for position in &bodies {
        position.0 += 1.0;
    }
}

fn main() {}
