//! A query of a component by value.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    for position in game.query_mut::<Position>() {
        println!("{}", position.0);
    }
}
