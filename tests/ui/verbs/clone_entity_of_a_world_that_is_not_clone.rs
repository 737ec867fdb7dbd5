//! `clone_entity` in a world without `Clone`. One message names the world.

use ecs::prelude::*;

#[derive(Component, Clone)]
struct Team(u8);

world! {
    struct Game { components { Team } }
}

fn main() {
    let mut game = Game::new();
    let entity = game.spawn(Team(1));
    let _ = game.clone_entity(entity);
}
