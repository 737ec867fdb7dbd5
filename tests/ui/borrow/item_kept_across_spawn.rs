//! An item of a query that is used after a spawn.
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
    game.spawn(Position(0.0));
    let first = game.query_mut::<&mut Position>().into_iter().next().unwrap();
    game.spawn(Position(1.0));
    first.0 += 1.0;
}
