//! `run` without the name of the system.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {
    Game::new().run();
}
