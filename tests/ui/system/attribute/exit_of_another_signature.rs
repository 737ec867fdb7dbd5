//! An `exit` function that takes the world shared.
use ecs::prelude::*;

world! {
    struct Game {}
    schedule tick { movement }
}

fn cleanup(_: &Game) {}

#[system(Game, exit = cleanup)]
fn movement() {}

fn main() {}
