//! A bundle struct with two fields of one component, the second under another name.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

type Place = Position;

#[derive(Bundle)]
struct Line {
    from: Position,
    to: Place,
}

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Line { from: Position(0.0), to: Position(1.0) });
}
