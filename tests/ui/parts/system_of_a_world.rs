//! A system of one world in a schedule of parts.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

parts! {
    physics {
        components { Position }
        schedule step { movement }
    }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

world! {
    struct Game {
        include physics;
    }
}

fn main() {}
