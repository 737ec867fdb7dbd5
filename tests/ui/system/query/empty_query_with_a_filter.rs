//! A query with a filter and without elements.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { count }
}

#[system(Game)]
fn count(bodies: Query<(), With<Position>>) {
    println!("{}", bodies.len());
}

fn main() {}
