//! A query for a component that the world does not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Mana(u32);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let game = Game::new();
    for mana in &game.query::<&Mana>() {
        println!("{}", mana.0);
    }
}
