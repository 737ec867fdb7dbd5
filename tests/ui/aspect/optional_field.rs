//! An `Option` among the fields of an aspect.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    max: u32,
}
#[derive(Component, Default)]
struct Position(f32);

#[derive(Aspect)]
struct Monster {
    health: Health,
    position: Option<Position>,
}

world! {
    struct Game {
        components { Health, Position }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Monster { health: Health { max: 1 }, position: None });
}
