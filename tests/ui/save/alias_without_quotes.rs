//! An old name that is not a string.
use ecs::prelude::*;

#[derive(Component)]
#[component(alias = Place)]
struct Position(f32);

fn main() {}
