//! A query that borrows a component that a query struct borrows too.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    velocity: &'a Velocity,
}

world! {
    struct Game {
        components { Position, Velocity }
    }
}

fn main() {
    let mut game = Game::new();
    for (mover, position) in game.query_mut::<(Mover, &Position)>() {
        mover.position.0 += position.0;
    }
}
