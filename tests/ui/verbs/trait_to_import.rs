//! Methods that few programs need, without the import of their traits.
use ecs::{Component, World, world};

#[derive(Component)]
struct Ball;

world! {
    struct Game {
        components { Ball }
    }
}

fn main() {
    let mut game = Game::new();
    let ball = game.spawn(Ball);
    game.regroup();
    let _ = game.take_entity::<Ball>(ball);
    let _ = game.reserve_ids(0..64);
    let _ = game.insert_one(ball, Ball);
}
