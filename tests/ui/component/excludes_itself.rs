//! A component that excludes itself.

use ecs::prelude::*;

#[derive(Component)]
#[component(excludes(Frozen))]
struct Frozen;

fn main() {}
