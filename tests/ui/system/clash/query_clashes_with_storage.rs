//! A query beside the storage of a component that it reads.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { stop }
}

#[system(Game)]
fn stop(bodies: Query<(Entity, &Velocity)>, mut velocities: Storage<Velocity>) {
    for (entity, velocity) in &bodies {
        if velocity.0 < 0.1 {
            velocities.remove(entity);
        }
    }
}

fn main() {}
