//! Two queries with filters that do not make them disjoint.
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
fn chase(
    mut hunters: Query<&mut Position, Or<(With<Velocity>, With<Frozen>)>>,
    prey: Query<&Position, Without<Velocity>>,
) {
    hunters.for_each(|position| position.0 = prey.iter().map(|prey| prey.0).sum());
}

fn main() {}
