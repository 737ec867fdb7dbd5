//! Several mistakes of one kind (system, no match) in one program: constants refuse them.
use ecs::prelude::*;

#[derive(Component)]
#[component(excludes(Burning))]
struct Frozen;
#[derive(Component)]
#[component(excludes(Frozen))]
struct Burning(u32);

world! {
    struct Game { components { Frozen, Burning } }
    schedule tick { melt, excluded_per_entity, freeze }
}

// A query of two components that exclude each other.
#[system(Game)]
fn melt(_both: Query<&Burning, With<Frozen>>) {}

// A per-entity system with two components that exclude each other.
#[system(Game)]
fn excluded_per_entity(_burning: &mut Burning, _: With<Frozen>) {}

// A `Storage` of a component with exclusions, which cannot check the other components.
#[system(Game)]
fn freeze(_burning: Query<Entity, With<Burning>>, _frozen: Storage<Frozen>) {}

fn main() {}
