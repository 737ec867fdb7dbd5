//! `take` of a meta-aspect with a component that the world does not list.
use ecs::prelude::*;
use ecs::MetaAspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default)]
struct Speed(u32);

#[derive(MetaAspect)]
enum Mind {
    Strong(Health),
    Fast(Speed),
}

world! {
    struct Game {
        components { Health }
    }
}

fn main() {
    let mut game = Game::new();
    let rat = game.spawn(());
    let _ = game.take_one_of::<Mind>(rat);
}
