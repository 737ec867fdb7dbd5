//! A bundle struct with a field of a type that is no component.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Bundle)]
struct Monster {
    position: Position,
    name: String,
}

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Monster { position: Position(0.0), name: String::new() });
}
