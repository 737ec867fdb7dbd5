//! Two entries have the type.
use ecs::prelude::*;

world! {
    struct Game {
        include parts_library::fire::fire { Fuel as fuel };
    }
}

fn main() {}
