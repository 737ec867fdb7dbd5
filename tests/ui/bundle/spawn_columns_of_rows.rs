//! Spawning columns from rows.
use ecs::prelude::*;
use ecs::world::WorldMemory;

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
    game.spawn_columns(vec![(Position(0.0), Velocity(1.0))]);
}
