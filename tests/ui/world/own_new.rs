//! A function `new` beside that of the world.

use ecs::prelude::*;

#[derive(Component)]
struct Ship;

world! {
    struct Game { components { Ship } }
    schedule tick { sail }
}

impl Game {
    fn new() -> Self {
        let mut game = Self::default();
        game.spawn(Ship);
        game
    }
}

#[system(Game)]
fn sail(_: &Ship) {}

fn main() {
    Game::new().tick();
}
