//! A field is a component.
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
    position: Position,
}

#[system(Game)]
fn chase(_hunt: Hunt) {}

fn main() {}
