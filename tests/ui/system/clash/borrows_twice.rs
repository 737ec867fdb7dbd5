//! Two parameters of a per-entity system that borrow one component, one of them mutably.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, start: &Position) {
    position.0 -= start.0;
}

fn main() {}
