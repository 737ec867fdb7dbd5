//! A first value that is not of the resource's type.
use ecs::prelude::*;

#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        resources { clock: Clock = 0.125 }
    }
}

fn main() {}
