//! A query of the set asks for a component that the world does not have.
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

#[derive(Component)]
struct Armor(f32);

#[system(Game)]
fn suffer(mut set: ParamSet<(Query<&Position>, Query<(&mut Position, &Armor)>)>) {
    set.p1().for_each(|(position, armor)| position.0 += armor.0);
}

fn main() {}
