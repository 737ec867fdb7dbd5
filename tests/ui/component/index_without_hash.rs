//! Values are found by their hash, and compared.

use ecs::prelude::*;

#[derive(Component)]
#[component(index)]
struct Cell(i32, i32);

fn main() {}
