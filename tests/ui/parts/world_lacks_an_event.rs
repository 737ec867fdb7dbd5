//! A schedule of a library in a world without an event that its systems need.
use ecs::prelude::*;

use parts_library::{Bounces, Clock, Position, Resting, Velocity};

world! {
    struct Game {
        components { Position, Velocity, Resting }
        resources { clock: Clock, bounces: Bounces }
    }
    schedule tick { include parts_library::step }
}

fn main() {}
