//! A storage beside queries without its component.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Velocity, Frozen }
    }
}

#[system(Game)]
fn freeze(bodies: Query<(Entity, &Position)>, mut frozen: Storage<Frozen>) {
    for (entity, position) in &bodies {
        if position.0 < 0.0 {
            let _ = frozen.insert(entity, Frozen);
        }
    }
}

#[system(Game)]
fn stop(entity: Entity, _: With<Frozen>, mut velocities: Storage<Velocity>) {
    velocities.remove(entity);
}

pub fn main() {}
