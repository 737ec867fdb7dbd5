//! A section that worlds do not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
        systems { movement }
    }
}

fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
