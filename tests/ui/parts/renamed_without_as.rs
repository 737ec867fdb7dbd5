//! A field gets another name as components do.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics { time: clock };
    }
}

fn main() {}
