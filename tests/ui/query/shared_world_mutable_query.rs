//! A query that writes, of a world that is borrowed shared.
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
    for position in &game.query::<&Position>() {
        println!("{}", position.0);
    }
    for position in game.query::<&mut Position>() {
        position.0 += 1.0;
    }
}
