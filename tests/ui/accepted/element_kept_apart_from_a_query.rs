//! A query beside per-entity parameters, made disjoint by a filter.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Velocity, Frozen }
    }
}

#[system(Game)]
fn chase(position: &mut Position, _: With<Velocity>, prey: Query<&Position, Without<Velocity>>) {
    position.0 = prey.iter().map(|prey| prey.0).sum();
}

pub fn main() {}
