//! The threads of a system cannot share a field.
use ecs::prelude::*;
use ecs::SystemParam;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock }
    }
    schedule tick { chase }
}

#[derive(SystemParam)]
struct Hunt<'w> {
    clock: Res<'w, Clock>,
    count: Local<'w, u32>,
}

#[system(Game, par)]
fn chase(position: &mut Position, mut hunt: Hunt) {
    *hunt.count += 1;
    position.0 += hunt.clock.0;
}

fn main() {}
