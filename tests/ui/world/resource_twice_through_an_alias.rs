//! A resource that is listed twice, once under another name.
use ecs::prelude::*;

#[derive(Resource)]
struct Clock(f32);

type Timer = Clock;

world! {
    struct Game {
        resources { clock: Clock, timer: Timer }
    }
}

fn main() {}
