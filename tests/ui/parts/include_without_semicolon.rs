//! The semicolon behind the path is missing.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics
        components { parts_library::fire::Blown }
    }
}

fn main() {}
