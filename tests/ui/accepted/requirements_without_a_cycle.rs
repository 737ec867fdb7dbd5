//! Two components that require the same third one.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Position(f32);

#[derive(Component, Default)]
#[component(requires(Position))]
struct Velocity(f32);

#[derive(Component)]
#[component(requires(Velocity, Position))]
struct Engine(f32);

world! {
    struct Game {
        components { Position, Velocity, Engine }
    }
}

pub fn main() {
    let mut game = Game::new();
    let car = game.spawn(Engine(3.0));
    assert!(game.has::<Position>(car));
}
