//! `entity` and `entity_mut` return a `Result`.
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
    let ball = game.spawn(());
    game.entity_mut(ball).insert(Position(0.0));
    println!("{}", game.entity(ball).get::<Position>().unwrap().0);
}
