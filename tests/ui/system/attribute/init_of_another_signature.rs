//! An `init` function that takes the world shared.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick { movement }
}

fn setup(world: &Game) {
    let _ = world;
}

#[system(Game, init = setup)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
