//! The whole world beside a query.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { reset }
}

#[system(Game)]
fn reset(game: &mut Game, bodies: Query<&Position>) {
    game.clear();
    println!("{}", bodies.len());
}

fn main() {}
