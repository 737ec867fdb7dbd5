//! The whole world, twice, once under another name.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
type Dungeon = Game;

world! {
    struct Game { components { Position } }
    schedule tick { reset }
}

#[system(Game)]
fn reset(game: &mut Game, again: &mut Dungeon) {
    game.clear();
    again.clear();
}

fn main() {}
