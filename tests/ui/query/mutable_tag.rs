//! A query that borrows a tag mutably.
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
    for frozen in game.query_mut::<&mut Frozen>() {
        let _ = frozen;
    }
}
