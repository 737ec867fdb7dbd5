//! An event that cannot be saved, in a world that is.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Event)]
struct Bumped;

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        events { Bumped(external) }
    }
}

fn main() {}
