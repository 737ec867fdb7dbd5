//! One system in two schedules, and as a condition.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick {
        movement if anyone;
    }
    schedule replay {
        movement;
    }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn anyone(bodies: Query<&Position>) -> bool {
    !bodies.is_empty()
}

pub fn main() {}
