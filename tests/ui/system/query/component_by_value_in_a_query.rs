//! A component in a query, where a reference to it is meant.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { show }
}

#[system(Game)]
fn show(positions: Query<Position>) {
    let _ = positions;
}

fn main() {}
