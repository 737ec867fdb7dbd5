//! A first value for a component, which only resources have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { position: Position = Position(0.0) }
    }
}

fn main() {}
