//! Several mistakes of one kind (query) in one program: rustc reports them as E0594.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

// `iter` of a query that writes, which needs `iter_mut`.
fn iter_of_mutable_query() {
    let mut game = Game::new();
    let query = game.query_mut::<&mut Position>();
    for position in query.iter() {
        position.0 += 1.0;
    }
}

// A query that writes, iterated by a shared reference.
#[system(Game)]
fn movement(bodies: Query<&mut Position>) {
    for position in &bodies {
        position.0 += 1.0;
    }
}

fn main() {}
