//! `get_mut` of a key, which can only be replaced.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(key)]
struct Seat(u8);

world! {
    struct Game { components { Seat } }
}

fn main() {
    let mut game = Game::new();
    let entity = game.spawn(Seat(1));
    game.get_mut::<Seat>(entity).unwrap().0 = 2;
}
