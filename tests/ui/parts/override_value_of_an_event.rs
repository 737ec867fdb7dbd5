//! A first value for an event.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics { moved = 3 };
    }
}

fn main() {}
