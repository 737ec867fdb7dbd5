//! A reference to a component that is used after a spawn.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
}

fn main() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    let position = game.get::<Position>(ball).unwrap();
    game.spawn(Position(1.0));
    println!("{}", position.0);
}
