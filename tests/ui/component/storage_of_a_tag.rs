//! A packed tag, which has no values.

use ecs::prelude::*;

#[derive(Component)]
#[component(storage = "packed")]
struct Burning;

fn main() {}
