//! An option that events do not have.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        events { Bumped(extern) }
    }
}

fn main() {}
