//! Options of a world with mistakes: unknown, without a value, a journal without its bound, aliases that are not former names.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Position(f32);

world! {
    #[world(journal)]
    struct Unbounded { components { Position } }
}

world! {
    #[world(journal = 0)]
    struct Empty { components { Position } }
}

world! {
    #[world(journal = "all")]
    struct All { components { Position } }
}

world! {
    #[world(history = 64, alias)]
    struct Unknown { components { Position } }
}

world! {
    #[world(alias = "Level")]
    struct Unsaved { components { Position } }
}

world! {
    #[derive(Serialize, Deserialize)]
    #[world(alias("Level", "Game", "Level"))]
    struct Game { components { Position } }
}

world! {
    #[world]
    struct Bare { components { Position } }
}

fn main() {}
