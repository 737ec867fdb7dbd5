//! A bundle struct with two fields of one component.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Bundle)]
struct Line {
    from: Position,
    to: Position,
}

fn main() {}
