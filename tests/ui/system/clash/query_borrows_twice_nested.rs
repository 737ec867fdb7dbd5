//! A query that borrows a component mutably twice, once in a nested tuple.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut bodies: Query<(&mut Position, (&Velocity, &mut Position))>) {
    bodies.for_each(|(position, (_, other))| std::mem::swap(position, other));
}

fn main() {}
