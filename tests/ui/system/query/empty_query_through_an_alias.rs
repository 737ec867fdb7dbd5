//! A query without elements behind an alias.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
type Nothing = ();

world! {
    struct Game { components { Position } }
    schedule tick { count }
}

#[system(Game)]
fn count(bodies: Query<Nothing>) {
    println!("{}", bodies.len());
}

fn main() {}
