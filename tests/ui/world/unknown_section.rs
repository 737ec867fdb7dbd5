//! A section that worlds do not have, close to one that they have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        component { Position }
    }
}

fn main() {}
