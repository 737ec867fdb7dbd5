//! A component that is twice in a tuple that is inserted.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    let _ = game.insert(ball, (Position(1.0), Position(2.0)));
}
