//! A filter of tracked components where data belongs.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Health, Frozen } }
    schedule tick { watch }
}

#[system(Game)]
fn watch(changed: Query<(Entity, Changed<Health>)>) {
    let _ = changed;
}

fn main() {}
