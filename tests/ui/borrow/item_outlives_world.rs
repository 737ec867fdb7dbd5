//! A reference to a component that outlives its world.
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
    let position = {
        let mut game = Game::new();
        let ball = game.spawn(Position(0.0));
        game.get::<Position>(ball).unwrap()
    };
    println!("{}", position.0);
}
