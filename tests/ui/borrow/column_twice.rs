//! One column that is borrowed mutably, twice.
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
    let ball = game.spawn(Position(0.0));
    let mut columns = game.columns_mut();
    let one = columns.position.get_mut(ball).unwrap();
    let other = columns.position.get_mut(ball).unwrap();
    std::mem::swap(one, other);
}
