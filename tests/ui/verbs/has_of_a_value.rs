//! A component as a value in place of its type.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

world! {
    struct Game {
        components { Health }
    }
}

fn main() {
    let mut game = Game::new();
    let ball = game.spawn(Health(1));
    println!("{}", game.has(ball, Health));
}
