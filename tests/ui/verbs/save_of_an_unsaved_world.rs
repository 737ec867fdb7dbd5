//! Saving a world that does not derive `Serialize`.
use ecs::prelude::*;

world! {
    struct Game {}
}

fn main() {
    let game = Game::new();
    game.save(Vec::new()).unwrap();
    println!("{:?}", game.to_bytes().unwrap());
    println!("{}", game.hash());
    Game::load(&[]).unwrap();
}
