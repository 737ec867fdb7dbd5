//! `requires` without a list.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Velocity(f32);

#[derive(Component)]
#[component(requires = Velocity)]
struct Position(f32);

fn main() {}
