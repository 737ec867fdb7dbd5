//! A schedule of generic parts in a world that includes the parts for another type.
use ecs::prelude::*;

use parts_library::pool;

#[derive(Component)]
struct Mana;

impl pool::Supply for Mana {
    const GAIN: u32 = 5;
}

world! {
    struct Game {
        include pool::pool;
    }
    schedule tick { include pool::refill::<Mana> }
}

fn main() {}
