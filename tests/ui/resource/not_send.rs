//! A resource that may not be shared with another thread.
use std::cell::Cell;

use ecs::prelude::*;

#[derive(Resource)]
struct Score(Cell<u32>);

world! {
    struct Game {
        resources { score: Score }
    }
}

fn main() {}
