//! A system without braces.
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
    schedule tick -> Result { include parts_library::step { before bounce: wind }, trace }
}

fn main() {}
