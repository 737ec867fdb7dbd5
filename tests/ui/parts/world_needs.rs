//! A world that needs parts instead of including them.
use ecs::prelude::*;

world! {
    struct Game {
        needs parts_library::physics;
    }
}

fn main() {}
