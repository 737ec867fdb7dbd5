//! A storage beside a query that filters by its component.
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
fn freeze(bodies: Query<Entity, Without<Frozen>>, mut frozen: Storage<Frozen>) {
    for entity in &bodies {
        let _ = frozen.insert(entity, Frozen);
    }
}

fn main() {}
