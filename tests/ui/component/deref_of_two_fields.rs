//! `deref` on a component with more than one field.
use ecs::prelude::*;

#[derive(Component)]
#[component(deref)]
struct Position {
    x: f32,
    y: f32,
}

fn main() {}
