//! A type that is no parameter, beside a per-entity parameter.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, step: f32) {
    position.0 += step;
}

fn main() {}
