//! A per-entity parameter that is an alias of a reference, which the macro cannot recognize.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
type Place<'a> = &'a mut Position;

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(place: Place<'_>) {
    place.0 += 1.0;
}

fn main() {}
