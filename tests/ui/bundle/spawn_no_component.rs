//! Spawning a value of a type without `derive(Component)`.
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
    game.spawn((Position(0.0), "rat"));
}
