//! An aspect that is made as other types are: rustc proposes `fresh`. A type that is no aspect has
//! no such advice.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health(u32);
#[derive(Aspect)]
struct Monster {
    health: Health,
}

world! { struct Game { components { Health } } }

fn main() {
    let mut game = Game::new();
    game.spawn(Monster::new());
    game.spawn(Monster::default());
    game.spawn(Health::new(5));
}
