//! A schedule with a type that is no system.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

struct Movement;

world! {
    struct Game {
        components { Position }
    }
    schedule tick {
        Movement;
    }
}

fn main() {}
