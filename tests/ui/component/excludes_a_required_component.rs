//! A component that excludes a component that it requires.

use ecs::prelude::*;

#[derive(Component, Default)]
#[component(excludes(Burning))]
struct Frozen;

#[derive(Component)]
#[component(requires(Frozen), excludes(Frozen))]
struct Burning;

fn main() {}
