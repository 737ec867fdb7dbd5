//! A section that parts do not have.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    physics {
        component { Position, Velocity }
    }
}

fn main() {}
