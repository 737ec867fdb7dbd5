//! A component that other crates cannot see.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

parts! {
    pub physics {
        components { Position }
    }
}

fn main() {}
