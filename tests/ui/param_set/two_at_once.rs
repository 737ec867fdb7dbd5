//! Two queries of a set at the same time.
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
    schedule tick { suffer }
}

#[system(Game)]
fn suffer(mut set: ParamSet<(Query<&Position>, Query<&mut Position>)>) {
    let positions = set.p0();
    set.p1().for_each(|position| position.0 += positions.len() as f32);
}

fn main() {}
