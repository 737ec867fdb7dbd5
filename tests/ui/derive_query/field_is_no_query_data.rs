//! A query struct with a field that is no query data.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    name: String,
}

fn main() {}
