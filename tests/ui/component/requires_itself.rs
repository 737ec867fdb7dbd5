//! A component that requires itself.
use ecs::prelude::*;

#[derive(Component, Default)]
#[component(requires(Position))]
struct Position(f32);

fn main() {}
