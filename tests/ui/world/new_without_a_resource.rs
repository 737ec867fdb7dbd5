//! `new` without the argument for a resource.
use ecs::prelude::*;

#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        resources { clock: Clock }
    }
}

fn main() {
    let game = Game::new();
    println!("{}", game.resource::<Clock>().0);
}
