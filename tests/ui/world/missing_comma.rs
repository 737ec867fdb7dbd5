//! A missing comma between two components. The world is declared nevertheless.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components {
            position: Position
            velocity: Velocity,
        }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn((Position(0.0), Velocity(1.0)));
}
