//! A per-entity system with two components that exclude each other.
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
fn melt(_burning: &mut Burning, _: With<Frozen>) {}

fn main() {}
