//! A first value of another type.
use ecs::prelude::*;

#[derive(Resource)]
struct Clock(f32);

parts! {
    physics {
        resources { clock: Clock = 1.0 }
    }
}

fn main() {}
