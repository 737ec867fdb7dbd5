//! `get` of a type that is no component.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
}

fn main() {
    let mut game = Game::new();
    let entity = game.spawn(Position(0.0));
    game.get::<&Position>(entity);
    game.get_mut::<&mut Position>(entity);
    game.get::<(Position, Velocity)>(entity);
}
