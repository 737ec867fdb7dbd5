//! Parts that are included twice.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics;
        include parts_library::physics;
    }
}

fn main() {}
