//! Parts without a name.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Component)]
pub struct Velocity(f32);

parts! {
    components { Position, Velocity }
    schedule step { }
}

fn main() {}
