//! An option that does not say for which event.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics { Bumped(external), keep = 256 };
    }
}

fn main() {}
