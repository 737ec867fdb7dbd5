//! A system that the library does not have.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    physics {
        components { Position, Velocity }
        schedule step { moovement }
    }
}

#[system]
pub fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {}
