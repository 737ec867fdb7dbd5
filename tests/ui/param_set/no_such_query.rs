//! A query that the set does not have.
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
    set.p2().for_each(|position| position.0 += 1.0);
}

fn main() {}
