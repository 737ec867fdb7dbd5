//! A derive on parts, as on a world.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    #[derive(Clone)]
    physics {
        components { Position, Velocity }
    }
}

fn main() {}
