//! A reference to a component that is used after `regroup`, which may have moved its entity.
use ecs::prelude::*;
use ecs::world::WorldMemory;

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
    let moved = game.regroup();
    println!("{} {}", position.0, moved.len());
}
