//! The option `storage` without the name of a storage.

use ecs::prelude::*;

#[derive(Component)]
#[component(storage)]
struct Burning(u32);

fn main() {}
