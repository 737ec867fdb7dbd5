//! A resource that is listed twice.
use ecs::prelude::*;

#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        resources { clock: Clock, timer: Clock }
    }
}

fn main() {}
