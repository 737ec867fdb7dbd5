//! A system before one that the included schedule does not have.
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
    schedule tick -> Result { include parts_library::step { before bonce { wind } }, trace }
}

fn main() {}
