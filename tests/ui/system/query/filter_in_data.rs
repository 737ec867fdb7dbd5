//! A filter in the data of a query.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut bodies: Query<(&mut Position, Without<Frozen>)>) {
    bodies.for_each(|(position, _)| position.0 += 1.0);
}

fn main() {}
