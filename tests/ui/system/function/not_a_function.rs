//! A struct as a system.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

#[system(Game)]
struct Movement;

fn main() {}
