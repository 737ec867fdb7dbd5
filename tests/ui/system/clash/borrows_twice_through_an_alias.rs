//! Two parameters of a per-entity system that borrow one component, once under another name.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
type Place = Position;

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, start: Option<&Place>) {
    position.0 -= start.map_or(0.0, |start| start.0);
}

fn main() {}
