//! Exclusive access to the world beside a `Local`, which does not access the world.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

#[system(Game)]
fn reset(game: &mut Game, mut runs: Local<u32>) {
    game.clear();
    *runs += 1;
}

pub fn main() {}
