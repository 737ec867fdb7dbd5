//! A query that borrows a component mutably and shared.
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
    for (one, other) in game.query_mut::<(&mut Position, &Position)>() {
        one.0 += other.0;
    }
}
