//! A condition for parts of a world.
use ecs::prelude::*;

#[system]
fn on() -> bool {
    true
}

world! {
    struct Game {
        include parts_library::physics if on;
    }
    schedule tick { include parts_library::step }
}

fn main() {}
