//! A query that borrows a component twice, once under another name.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

type Place = Position;

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    for (one, other) in game.query_mut::<(&mut Position, &Place)>() {
        one.0 += other.0;
    }
}
