//! An option of an event with a wrong value.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics { Bumped(keep = many) };
    }
}

fn main() {}
