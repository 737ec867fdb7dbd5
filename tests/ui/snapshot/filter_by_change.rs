//! A filter by change, which a snapshot cannot answer.
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
    for health in before.query::<&Health>().filter::<Changed<Health>>() {
        println!("{}", health.0);
    }
}
