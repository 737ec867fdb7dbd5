//! Adding a component as if it were an aspect.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

world! {
    struct Game {
        components { Health }
    }
}

fn main() {
    let mut game = Game::new();
    let rat = game.spawn(());
    let _ = game.add_aspect(rat, Health { now: 1, max: 1 });
}
