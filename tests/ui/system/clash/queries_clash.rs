//! Two queries of one component that may match the same entity.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick { chase }
}

#[system(Game)]
fn chase(mut hunters: Query<(&mut Position, &Velocity)>, prey: Query<&Position>) {
    hunters.for_each(|(position, _)| position.0 = prey.iter().map(|prey| prey.0).sum());
}

fn main() {}
