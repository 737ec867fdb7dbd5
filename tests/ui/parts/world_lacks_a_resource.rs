//! A schedule of a library in a world without a resource that its systems need.
use ecs::prelude::*;

use parts_library::{Bumped, Clock, Position, Resting, Velocity};

world! {
    struct Game {
        components { Position, Velocity, Resting }
        resources { clock: Clock }
        events { Bumped(external) }
    }
    schedule tick { include parts_library::step }
}

fn main() {}
