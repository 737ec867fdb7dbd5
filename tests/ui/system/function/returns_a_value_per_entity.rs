//! A per-entity system that returns a value.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

#[system(Game)]
fn is_far(position: &Position) -> bool {
    position.0 > 100.0
}

fn main() {}
