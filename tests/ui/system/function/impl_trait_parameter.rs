//! A parameter of type `impl Trait`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, step: impl Into<f32>) {
    position.0 += step.into();
}

fn main() {}
