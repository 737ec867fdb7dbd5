//! A system between included ones without its place.
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
    schedule tick -> Result { include parts_library::step { wind }, trace }
}

fn main() {}
