//! An attribute before `include`.
use ecs::prelude::*;

world! {
    struct Game {
        #[allow(dead_code)]
        include parts_library::physics;
    }
}

fn main() {}
