//! An option of an event with a typing mistake.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics { Bumped(kep = 3) };
    }
}

fn main() {}
