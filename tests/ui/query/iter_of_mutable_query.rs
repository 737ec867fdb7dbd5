//! `iter` of a query that writes, which needs `iter_mut`.
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
    let query = game.query_mut::<&mut Position>();
    for position in query.iter() {
        position.0 += 1.0;
    }
}
