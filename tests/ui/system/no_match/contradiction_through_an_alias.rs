//! A query with a filter behind an alias that excludes a component of its data.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;
type Moving = (With<Velocity>, Without<Position>);

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut bodies: Query<&mut Position, Moving>) {
    bodies.for_each(|position| position.0 += 1.0);
}

fn main() {}
