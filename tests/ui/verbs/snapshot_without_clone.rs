//! A snapshot of a world that cannot be copied.
use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    let before = game.snapshot();
    game.spawn(Position(0.0));
    drop(before);
}
