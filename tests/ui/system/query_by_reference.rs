//! Whole parameters are taken by value.

use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource)]
struct Clock;

world! {
    struct Game {
        components { Position }
        resources { clock: Clock }
    }
}

#[system(Game)]
fn report(positions: &Query<&Position>) {
    let _ = positions.len();
}

#[system(Game)]
fn tell(clock: &Res<Clock>) {
    let _ = clock;
}

fn main() {}
