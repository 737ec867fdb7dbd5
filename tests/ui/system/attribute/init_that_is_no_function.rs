//! A value of `init` that is no function.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick { movement }
}

#[system(Game, init = movement)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
