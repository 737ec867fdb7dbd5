//! A listed component that is an alias of a type of another crate.
use ecs::prelude::*;

type Name = String;

world! {
    struct Game {
        components { Name }
    }
}

fn main() {}
