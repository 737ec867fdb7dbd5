//! A function behind `exit` that is called instead of named.
use ecs::prelude::*;

world! {
    struct Game {}
    schedule tick { movement }
}

fn cleanup(_: &mut Game) {}

#[system(Game, exit = cleanup())]
fn movement() {}

fn main() {}
