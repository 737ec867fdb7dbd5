//! An entry that is changed twice.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics { Bumped(external), bumped as bumps };
    }
}

fn main() {}
