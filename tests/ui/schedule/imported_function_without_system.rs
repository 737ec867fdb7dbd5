//! A schedule with a function of another module that lacks `#[system]`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick {
        motion::movement;
    }
}

mod motion {
    use super::Position;

    pub fn movement(position: &mut Position) {
        position.0 += 1.0;
    }
}

fn main() {}
