//! A system may read one component, resource or event in several parameters.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

#[derive(Resource, Default)]
struct Clock(f32);

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock = Clock::default() }
    }
}

#[system(Game)]
fn compare(
    one: &Position,
    other: &Position,
    now: Res<Clock>,
    again: Res<Clock>,
    all: Query<(&Position, &Position)>,
) {
    println!("{} {} {} {} {}", one.0, other.0, now.0, again.0, all.len());
}

pub fn main() {}
