//! A query that is an enum.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
enum Mover<'a> {
    Walks(&'a mut Position),
}

fn main() {}
