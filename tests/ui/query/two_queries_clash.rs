//! Two simultaneous queries that borrow one component, one of them mutably.
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
    let (movers, positions) = game.queries::<((&mut Position, &Velocity), &Position)>();
    let _ = (movers, positions);
}
