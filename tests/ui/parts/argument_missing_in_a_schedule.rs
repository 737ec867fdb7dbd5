//! A schedule of generic parts without an argument.
use ecs::prelude::*;

#[derive(Component)]
struct Goblin;

world! {
    struct Game {
        include parts_library::pool::census::<Goblin>;
    }
    schedule tick { include parts_library::pool::take_census }
}

fn main() {}
