//! Two queries of one world that are held at once, one of them mutable.
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
    let movers = game.query_mut::<&mut Position>();
    let velocities = game.query::<&Velocity>();
    movers.for_each(|position| position.0 += velocities.len() as f32);
}
