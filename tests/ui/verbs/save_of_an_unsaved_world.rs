//! A world is saved if its declaration derives it.
use ecs::prelude::*;

world! {
    struct Game {}
}

fn main() {
    let game = Game::new();
    game.save(Vec::new()).unwrap();
    Game::load(&[]).unwrap();
}
