//! A query that borrows a component twice, once in a nested tuple.
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
    for (one, (velocity, other)) in game.query_mut::<(&Position, (&Velocity, Option<&mut Position>))>() {
        let _ = (one, velocity, other);
    }
}
