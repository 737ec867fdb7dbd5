//! A system before one that the included schedule has twice, with other arguments.
use ecs::prelude::*;

#[system]
fn wind() {}

#[system]
fn trace() {}

world! {
    struct Game {
        include parts_library::physics;
        include parts_library::fire::fire;
    }
    schedule tick -> Result { include parts_library::fire::burn { before flames { wind } }, trace }
}

fn main() {}
