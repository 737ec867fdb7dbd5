//! A schedule with a function that lacks `#[system]`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick {
        movement;
    }
}

fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
