//! A filter `Added`, nested, of a component that is not tracked.
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
fn watch(entities: Query<Entity, Or<(Added<Frozen>, Changed<Health>)>>) {
    let _ = entities;
}

fn main() {}
