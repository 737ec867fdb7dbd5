//! A component that is listed twice.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    physics {
        components { Position, Velocity, place: Position }
    }
}

fn main() {}
