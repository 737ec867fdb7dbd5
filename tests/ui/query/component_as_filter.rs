//! A component where a filter is expected.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Velocity, Frozen }
    }
}

fn main() {
    let mut game = Game::new();
    for position in game.query_mut::<&mut Position>().filter::<Frozen>() {
        position.0 += 1.0;
    }
}
