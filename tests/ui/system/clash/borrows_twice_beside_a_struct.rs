//! A component that a per-entity system borrows beside a query struct with it.
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
    struct Game { components { Position, Velocity } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mover: Each<Mover>, position: &Position) {
    mover.0.position.0 += mover.0.velocity.0 + position.0;
}

fn main() {}
