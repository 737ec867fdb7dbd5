//! Spawning two columns of one component.
use ecs::prelude::*;
use ecs::world::WorldMemory;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn_columns((vec![Position(0.0)], [Position(1.0)]));
}
