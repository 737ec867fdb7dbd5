//! A component that is twice in a spawned tuple, once under another name.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Position(f32);

type Place = Position;

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn((Position(0.0), Place::default()));
}
