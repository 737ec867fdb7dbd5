//! A struct of parameters without its derive.
use ecs::prelude::*;

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

struct Hunt<'w> {
    clock: Res<'w, Clock>,
}

#[system(Game)]
fn chase(hunt: Hunt) {
    let _ = hunt.clock.0;
}

fn main() {}
