//! A field that the parts do not have gets another name.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::physics { clok as time };
    }
}

fn main() {}
