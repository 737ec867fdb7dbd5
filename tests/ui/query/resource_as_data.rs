//! A resource where a component is expected.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game {
        resources { clock: Clock = Clock::default() }
    }
}

fn main() {
    let game = Game::new();
    for clock in &game.query::<&Clock>() {
        println!("{}", clock.0);
    }
}
