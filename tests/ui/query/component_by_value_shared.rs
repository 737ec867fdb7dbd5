//! A query of a shared world for a component where a reference to it is meant.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let game = Game::new();
    for position in game.query::<Position>() {
        println!("{}", position.0);
    }
}
