//! A bundle struct that holds a component which a nested bundle struct holds too.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Body {
    position: Position,
}

#[derive(Bundle)]
struct Monster {
    body: Body,
    position: Position,
    health: Health,
}

world! {
    struct Game {
        components { Position, Health }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Monster {
        body: Body { position: Position(0.0) },
        position: Position(0.0),
        health: Health(3),
    });
}
