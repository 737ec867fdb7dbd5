//! Options for an event that the parts do not list.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics { Bumbed(external) };
    }
}

fn main() {}
