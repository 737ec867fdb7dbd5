//! A component goes together with itself.

use ecs::prelude::*;

#[derive(Component)]
#[component(excludes(Frozen))]
struct Frozen;

fn main() {}
