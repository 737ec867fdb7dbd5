//! A parameter with `#[cfg]`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, #[cfg(test)] step: Local<u32>) {
    position.0 += 1.0;
}

fn main() {}
