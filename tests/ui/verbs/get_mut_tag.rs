//! `get_mut` of a tag, which has no value.
use ecs::prelude::*;

#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Frozen }
    }
}

fn main() {
    let mut game = Game::new();
    let ice = game.spawn(Frozen);
    game.get_mut::<Frozen>(ice);
}
