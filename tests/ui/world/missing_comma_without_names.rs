//! A missing comma between two components without names.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position Velocity }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn((Position(0.0), Velocity(1.0)));
}
