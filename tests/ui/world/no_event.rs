//! A listed event without `derive(Event)`.
use ecs::prelude::*;

struct Bumped(u32);

world! {
    struct Game {
        events { Bumped(external) }
    }
}

fn main() {}
