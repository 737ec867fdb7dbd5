//! A storage beside a per-entity filter by its component.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick { freeze }
}

#[system(Game)]
fn freeze(entity: Entity, _: Without<Frozen>, mut frozen: Storage<Frozen>) {
    let _ = frozen.insert(entity, Frozen);
}

fn main() {}
