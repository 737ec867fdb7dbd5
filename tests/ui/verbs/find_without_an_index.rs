//! `find` of a component without an index.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
struct Team(u8);

world! {
    struct Game { components { Team } }
}

fn main() {
    let game = Game::new();
    let _ = game.find_one::<Team>(&Team(1));
}
