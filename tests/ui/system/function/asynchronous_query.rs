//! An asynchronous system that takes a query, whose lifetime rustc would ask for, too.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { report }
}

#[system(Game)]
async fn report(positions: Query<&Position>) {
    for position in &positions {
        println!("{}", position.0);
    }
}

fn main() {
    Game::new().tick();
}
