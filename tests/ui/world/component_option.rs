//! An option of a component in `world!`, where components have none.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position(packed) }
    }
}

fn main() {}
