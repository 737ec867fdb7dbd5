//! An argument for parts without parameters.
use ecs::prelude::*;

#[derive(Component)]
struct Goblin;

world! {
    struct Game {
        include parts_library::physics::<Goblin>;
    }
}

fn main() {}
