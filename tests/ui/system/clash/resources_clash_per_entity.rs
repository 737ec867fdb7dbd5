//! A resource that a per-entity system reads and writes.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game {
        components { Position }
        resources { clock: Clock = Clock::default() }
    }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, before: Res<Clock>, mut clock: ResMut<Clock>) {
    position.0 += before.0;
    clock.0 += 0.125;
}

fn main() {}
