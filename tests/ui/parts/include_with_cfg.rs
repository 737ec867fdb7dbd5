//! A condition of compilation before `include`.
use ecs::prelude::*;

world! {
    struct Game {
        #[cfg(feature = "physics")]
        include parts_library::physics;
    }
}

fn main() {}
