//! A `Storage` does not see the components that its own excludes.

use ecs::prelude::*;

#[derive(Component)]
#[component(excludes(Burning))]
struct Frozen;

#[derive(Component)]
#[component(excludes(Frozen))]
struct Burning(u32);

world! {
    struct Game { components { Frozen, Burning } }
}

#[system(Game)]
fn freeze(_burning: Query<Entity, With<Burning>>, _frozen: Storage<Frozen>) {}

fn main() {}
