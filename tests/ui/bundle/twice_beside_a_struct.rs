//! A component that is in a bundle struct, and beside it once more.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

#[derive(Bundle)]
struct Ball {
    position: Position,
    velocity: Velocity,
}

world! {
    struct Game {
        components { Position, Velocity }
    }
}

fn main() {
    let mut game = Game::new();
    let ball = Ball { position: Position(0.0), velocity: Velocity(1.0) };
    game.spawn((ball, Velocity(2.0)));
}
