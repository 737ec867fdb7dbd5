//! An entry that depends on a feature.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    physics {
        components { Position, #[cfg(feature = "velocity")] Velocity }
    }
}

fn main() {}
