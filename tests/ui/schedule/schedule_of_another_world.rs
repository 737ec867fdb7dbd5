//! A schedule of another world as a step.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick { movement, Arena::fight }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

world! {
    struct Arena {}
    schedule fight {}
}

fn main() {}
