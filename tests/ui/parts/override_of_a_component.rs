//! Options for a component.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics { Position(keep = 3) };
    }
}

fn main() {}
