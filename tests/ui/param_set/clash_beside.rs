//! Another parameter clashes with a query of the set.
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
fn suffer(mut set: ParamSet<(Query<&Velocity>, Query<&mut Position>)>, bodies: Query<&Position>) {
    set.p1().for_each(|position| position.0 += bodies.len() as f32);
}

fn main() {}
