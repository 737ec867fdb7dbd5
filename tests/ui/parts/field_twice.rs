//! Two fields of one name.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    physics {
        components { body: Position, body: Velocity }
    }
}

fn main() {}
