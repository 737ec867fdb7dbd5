//! An event that is listed twice, once under another name.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

type Hit = Bumped;

world! {
    struct Game {
        events { Bumped, Hit }
    }
}

fn main() {}
