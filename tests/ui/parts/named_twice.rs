//! A schedule with the name of the parts.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    physics {
        components { Position, Velocity }
        schedule physics { movement }
    }
}

#[system]
pub fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {}
