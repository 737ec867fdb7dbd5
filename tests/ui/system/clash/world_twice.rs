//! The whole world, twice.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { reset }
}

#[system(Game)]
fn reset(game: &mut Game, again: &mut Game) {
    game.clear();
    again.clear();
}

fn main() {}
