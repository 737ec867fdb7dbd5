//! A section that is written twice.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    physics {
        components { Position }
        components { Velocity }
    }
}

fn main() {}
