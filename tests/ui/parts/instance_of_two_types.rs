//! A library and the world include the same generic parts, for two types of one name.
use ecs::prelude::*;

use parts_library::pool::{Supply, pool};
use parts_library::shared::walking;

struct Stamina;

impl Supply for Stamina {
    const GAIN: u32 = 1;
}

world! {
    struct Game {
        include walking;
        include pool::<Stamina>;
    }
}

fn main() {}
