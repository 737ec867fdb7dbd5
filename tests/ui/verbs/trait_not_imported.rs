//! A method of the trait `World` without the import of the trait.
use ecs::{Component, world};

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Position(0.0));
}
