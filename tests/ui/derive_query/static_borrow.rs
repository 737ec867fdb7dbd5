//! A query struct that borrows for `'static`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Mover {
    position: &'static Position,
}

fn main() {}
