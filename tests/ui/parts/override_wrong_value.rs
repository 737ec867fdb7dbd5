//! A first value of another type.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics { bounces = 3 };
    }
}

fn main() {}
