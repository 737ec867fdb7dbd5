//! An `Option` among the fields of a bundle.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Health {
    max: u32,
}
#[derive(Component, Default)]
struct Position(f32);

#[derive(Bundle)]
struct Body {
    health: Health,
    position: Option<Position>,
}

world! {
    struct Game {
        components { Health, Position }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Body { health: Health { max: 1 }, position: None });
    game.spawn((Body { health: Health { max: 1 }, position: None }, Position(1.0)));
}
