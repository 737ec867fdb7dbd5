//! The whole world, shared.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { count }
}

#[system(Game)]
fn count(game: &Game) {
    println!("{}", game.entities().len());
}

fn main() {}
