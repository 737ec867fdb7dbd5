//! Two instances of generic parts, with equal names of their fields.
use ecs::prelude::*;

use parts_library::pool::{Supply, pool};

struct Mana;
struct Health;

impl Supply for Mana {
    const GAIN: u32 = 1;
}

impl Supply for Health {
    const GAIN: u32 = 1;
}

world! {
    struct Game {
        include pool::<Mana>;
        include pool::<Health>;
    }
}

fn main() {}
