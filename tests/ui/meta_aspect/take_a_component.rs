//! `take` of a component that is no meta-aspect.
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
    let _ = game.take_one_of::<Health>(rat);
}
