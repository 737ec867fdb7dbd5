//! Saving a world that does not derive `Serialize`.
use ecs::prelude::*;

world! {
    struct Game {}
}

fn main() {
    let game = Game::new();
    game.save(Vec::new()).unwrap();
    Game::load(&[]).unwrap();
}
