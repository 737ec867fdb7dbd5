//! A query of a snapshot that writes.
use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);
#[derive(Component, Clone)]
#[component(tracked)]
struct Health(u32);
#[derive(Component, Clone)]
struct Mana(u32);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Health }
    }
}

fn main() {
    let mut game = Game::new();
    let before = game.snapshot();
    for (entity, position) in before.query::<(Entity, &mut Position)>() {
        position.0 += 1.0;
        println!("{entity}");
    }
}
