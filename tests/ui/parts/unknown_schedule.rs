//! A schedule that the library does not have.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics;
    }
    schedule tick { include parts_library::stepp }
}

fn main() {}
