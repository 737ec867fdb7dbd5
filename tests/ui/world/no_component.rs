//! A listed component without `derive(Component)`.
use ecs::prelude::*;

struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {}
