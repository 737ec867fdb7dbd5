//! Sending an event that the world does not have.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);
#[derive(Event)]
struct Fell(u32);

world! {
    struct Game {
        events { Bumped(external) }
    }
}

fn main() {
    let mut game = Game::new();
    game.send(Bumped(1));
    game.send(Fell(1));
}
