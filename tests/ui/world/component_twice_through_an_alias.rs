//! A component that is listed twice, once under another name.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

type Place = Position;

world! {
    struct Game {
        components { Position, Place }
    }
}

fn main() {}
