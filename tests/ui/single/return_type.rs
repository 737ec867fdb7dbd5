//! A system that may be skipped returns a number.
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
    schedule tick {}
}

#[system(Game)]
fn height(body: Single<&Position>) -> f32 {
    body.0
}

#[derive(SystemParam)]
struct Body<'w> {
    position: Single<'w, &'static Position>,
}

#[system(Game)]
fn width(body: Body) -> f32 {
    body.position.0
}

fn main() {}
