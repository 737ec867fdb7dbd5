//! A query struct with two lifetimes.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

#[derive(Query)]
struct Mover<'a, 'b> {
    position: &'a mut Position,
    velocity: &'b Velocity,
}

fn main() {}
