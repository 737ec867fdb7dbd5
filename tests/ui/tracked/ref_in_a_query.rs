//! A query that asks for `Ref` of a component that is not tracked.
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
fn watch(positions: Query<(Entity, Ref<Position>)>) {
    let _ = positions;
}

fn main() {}
