//! A query of two components that exclude each other.
use ecs::prelude::*;

#[derive(Component)]
#[component(excludes(Burning))]
struct Frozen;
#[derive(Component)]
#[component(excludes(Frozen))]
struct Burning(u32);

world! {
    struct Game { components { Frozen, Burning } }
    schedule tick { melt }
}

#[system(Game)]
fn melt(_both: Query<&Burning, With<Frozen>>) {}

fn main() {}
