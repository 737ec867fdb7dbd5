//! A world without the word `struct`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    Game {
        components { Position }
    }
}

fn main() {}
