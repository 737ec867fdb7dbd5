//! Bundles, nested, in which every component occurs once.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

#[derive(Bundle)]
struct Body {
    position: Position,
}

#[derive(Bundle)]
struct Ball {
    body: Body,
    velocity: Velocity,
}

world! {
    struct Game {
        components { Position, Velocity }
    }
}

pub fn main() {
    let mut game = Game::new();
    game.spawn(Ball { body: Body { position: Position(0.0) }, velocity: Velocity(1.0) });
    let ball = game.spawn((Body { position: Position(0.0) }, (Velocity(1.0),)));
    let _ = game.remove::<(Velocity, Body)>(ball);
}
