//! A component and a resource in fields of one name.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        components { clock: Position }
        resources { clock: Clock }
    }
}

fn main() {}
