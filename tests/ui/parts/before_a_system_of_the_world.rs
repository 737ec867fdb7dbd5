//! The order of two systems of the world, as if it were one with an included system.
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
    schedule tick -> Result {
        include parts_library::step { before trace { wind } after bounce { trace } }
    }
}

fn main() {}
