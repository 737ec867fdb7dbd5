//! A schedule of a library among the components of a world.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics;
        include parts_library::step;
    }
}

fn main() {}
