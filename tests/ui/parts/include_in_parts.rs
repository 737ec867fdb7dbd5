//! Parts that include others.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    physics {
        components { Position, Velocity }
    }
}

parts! {
    rigid {
        include physics;
    }
}

fn main() {}
