//! A system as a value where its type is expected.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

fn main() {
    let mut game = Game::new();
    game.run(movement);
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}
