//! A query struct whose fields have no names.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Query)]
struct Mover<'a>(&'a mut Position);

fn main() {}
