//! A world that is read by names, and does not derive `Reflect`.
use ecs::prelude::*;
use ecs::reflect::ReflectWorld;

world! {
    struct Game {}
}

fn main() {
    let game = Game::new();
    let world: &dyn ReflectWorld = &game;
    println!("{}", world.reflect().len());
}
