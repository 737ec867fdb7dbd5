//! Both sides say that they exclude each other.

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
