//! Two items of one query that are held at once.
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
    let one = game.spawn(Position(0.0));
    let other = game.spawn(Position(1.0));
    let mut query = game.query_mut::<&mut Position>();
    let first = query.get_mut(one).unwrap();
    let second = query.get_mut(other).unwrap();
    std::mem::swap(first, second);
}
