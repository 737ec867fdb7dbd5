//! Generic parts without an argument.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::pool::census;
    }
}

fn main() {}
