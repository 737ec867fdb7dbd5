//! A storage of another library.

use ecs::prelude::*;

#[derive(Component)]
#[component(storage = "SparseSet")]
struct Burning(u32);

fn main() {}
