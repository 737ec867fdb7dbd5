//! A per-entity parameter beside the storage of its component.
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
fn stop(entity: Entity, velocity: &Velocity, mut velocities: Storage<Velocity>) {
    if velocity.0 < 0.1 {
        velocities.remove(entity);
    }
}

fn main() {}
