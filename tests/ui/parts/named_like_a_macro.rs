//! Parts with the name of the macro.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);

parts! {
    pub parts {
        components { Position }
    }
}

fn main() {}
