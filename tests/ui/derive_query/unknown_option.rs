//! `derive(Query)` has no options but the library's path.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
#[query(mutable)]
struct Mover<'a> {
    position: &'a mut Position,
}

fn main() {}
