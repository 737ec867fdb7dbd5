//! A schedule of a library in a world without the components that its systems need.
use ecs::prelude::*;

world! {
    struct Game {
        components { position: parts_library::Position, resting: parts_library::Resting }
        resources {
            clock: parts_library::Clock = parts_library::Clock::of(1.0),
            bounces: parts_library::Bounces = parts_library::Bounces(0),
        }
        events { bumped: parts_library::Bumped(external) }
    }
    schedule tick { include parts_library::step }
}

fn main() {}
