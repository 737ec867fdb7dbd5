//! `default` of a world with a resource that has no default.
use ecs::prelude::*;

#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        resources { clock: Clock }
    }
}

fn main() {
    let game = Game::default();
    println!("{}", game.resource::<Clock>().0);
}
