//! Spawning columns from an iterator that does not know its length.
use ecs::prelude::*;

#[derive(Component)]
struct Position(u64);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn_columns(((0..9).map(Position),));
}
