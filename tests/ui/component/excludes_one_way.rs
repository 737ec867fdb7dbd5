//! Two components of which only one excludes the other.

use ecs::prelude::*;

#[derive(Component)]
#[component(excludes(Burning))]
struct Frozen;

#[derive(Component)]
struct Burning;

world! {
    struct Game { components { Frozen, Burning } }
}

fn main() {}
