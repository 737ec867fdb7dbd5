//! Spawning columns of a component that the world does not have.
use ecs::prelude::*;
use ecs::world::WorldMemory;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Mana(u32);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn_columns((vec![Position(0.0)], vec![Mana(3)]));
}
