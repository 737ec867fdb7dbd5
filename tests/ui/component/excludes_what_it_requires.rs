//! One or the other.

use ecs::prelude::*;

#[derive(Component, Default)]
#[component(excludes(Burning))]
struct Frozen;

#[derive(Component)]
#[component(requires(Frozen), excludes(Frozen))]
struct Burning;

fn main() {}
