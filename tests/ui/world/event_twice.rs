//! An event that is listed twice.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        events { bumped: Bumped, hit: Bumped }
    }
}

fn main() {}
