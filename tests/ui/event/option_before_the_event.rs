//! An option that stands before its event.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position, Velocity }
        events { external Bumped }
    }
    schedule tick { hear }
}

#[system(Game)]
fn hear(mut bumped: EventReader<Bumped>) {
    for _ in &mut bumped {}
}

fn main() {}
