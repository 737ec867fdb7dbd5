//! A query that borrows a component mutably and shared.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut bodies: Query<(&mut Position, &Position)>) {
    bodies.for_each(|(position, start)| position.0 -= start.0);
}

fn main() {}
