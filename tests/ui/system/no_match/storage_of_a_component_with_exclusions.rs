//! A `Storage` of a component with exclusions, which cannot check the other components.
use ecs::prelude::*;

#[derive(Component)]
#[component(excludes(Burning))]
struct Frozen;
#[derive(Component)]
#[component(excludes(Frozen))]
struct Burning(u32);

world! {
    struct Game { components { Frozen, Burning } }
    schedule tick { freeze }
}

#[system(Game)]
fn freeze(_burning: Query<Entity, With<Burning>>, _frozen: Storage<Frozen>) {}

fn main() {}
