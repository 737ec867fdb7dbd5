//! No name after `as`.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics as { clock as time };
    }
}

fn main() {}
