//! Parts in a schedule.
use ecs::prelude::*;

world! {
    struct Game {
        components { parts_library::Position }
    }
    schedule tick { include parts_library::physics }
}

fn main() {}
