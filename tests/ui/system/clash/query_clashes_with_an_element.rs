//! A query that may match the entity of a per-entity system.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { chase }
}

#[system(Game)]
fn chase(position: &mut Position, others: Query<&Position>) {
    position.0 = others.iter().map(|other| other.0).sum();
}

fn main() {}
