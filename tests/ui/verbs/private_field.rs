//! A field of a world in another module.
use ecs::prelude::*;

mod game {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Position(pub f32);

    world! {
        pub struct Game {
            components { Position }
        }
    }
}
use game::{Game, Position};

fn main() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    println!("{}", game.position.get(ball).unwrap().0);
}
