//! A per-entity parameter that is an alias of a filter, which the macro cannot recognize.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;
type Moving = Without<Frozen>;

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, _: Moving) {
    position.0 += 1.0;
}

fn main() {}
