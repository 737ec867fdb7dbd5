//! More arguments than parameters.
use ecs::prelude::*;

#[derive(Component)]
struct Goblin;

world! {
    struct Game {
        include parts_library::pool::census::<Goblin, 3>;
    }
}

fn main() {}
