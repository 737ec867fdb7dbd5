//! The world lists a component that the parts list, under another name.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics;
        components { place: parts_library::Position }
    }
}

fn main() {}
