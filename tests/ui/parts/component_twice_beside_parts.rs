//! The world lists a component that the parts list.
use ecs::prelude::*;

world! {
    struct Game {
        components { parts_library::Position }
        include parts_library::physics;
    }
}

fn main() {}
