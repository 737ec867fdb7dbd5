//! An index of a value that is not `Hash`.

use ecs::prelude::*;

#[derive(Component)]
#[component(index)]
struct Cell(i32, i32);

fn main() {}
