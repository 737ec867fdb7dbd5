//! A query with an empty tuple in it.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { count }
}

#[system(Game)]
fn count(bodies: Query<(&Position, ())>) {
    println!("{}", bodies.len());
}

fn main() {}
