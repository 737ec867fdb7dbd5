//! A schedule without systems.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    physics {
        components { Position, Velocity }
        schedule step;
    }
}

fn main() {}
