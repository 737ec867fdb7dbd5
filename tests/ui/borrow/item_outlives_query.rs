//! An item that outlives the query that it came from.
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

fn first(game: &mut Game) -> Option<&mut Position> {
    let mut query = game.query_mut::<&mut Position>();
    query.iter_mut().next()
}

fn main() {
    let mut game = Game::new();
    first(&mut game);
}
