//! An option of a component, which has none in `world!`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position(packed) }
    }
}

fn main() {}
