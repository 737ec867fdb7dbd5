//! Spawning while a query is iterated.
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
    for position in game.query_mut::<&mut Position>() {
        position.0 += 1.0;
        game.spawn(Velocity(1.0));
    }
}
