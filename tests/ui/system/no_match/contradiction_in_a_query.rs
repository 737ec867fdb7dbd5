//! A query with a filter that excludes a component of its data.
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
fn movement(mut bodies: Query<(&mut Position, &Velocity), Without<Velocity>>) {
    bodies.for_each(|(position, velocity)| position.0 += velocity.0);
}

fn main() {}
