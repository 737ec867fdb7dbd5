//! Running a function without `#[system]`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {
    let mut game = Game::new();
    game.run::<movement>();
}
