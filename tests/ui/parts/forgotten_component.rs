//! Parts that do not list a component that a system of their schedule needs.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    pub physics {
        components { Position }
        schedule step { movement }
    }
}

#[system]
pub fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {}
