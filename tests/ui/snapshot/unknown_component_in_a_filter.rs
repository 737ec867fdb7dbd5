//! A filter on a component that the world of the snapshot does not have.
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
    for position in before.query::<&Position>().filter::<Without<Mana>>() {
        println!("{}", position.0);
    }
}
