//! An enum, and a struct without fields.
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
    schedule tick { chase, rest }
}

#[derive(SystemParam)]
enum Hunt<'w> {
    Clock(Res<'w, Clock>),
}

#[derive(SystemParam)]
struct Nothing;

#[derive(SystemParam)]
#[system_param(world = Game)]
struct Rest<'w> {
    clock: Res<'w, Clock>,
}

#[system(Game)]
fn chase(_nothing: Nothing) {}

#[system(Game)]
fn rest(_rest: Rest) {}

fn main() {}
