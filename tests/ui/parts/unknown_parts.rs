//! Parts that the library does not have.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physic;
    }
    schedule tick { include parts_library::step }
}

fn main() {}
