//! A condition for all systems of an included schedule.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

parts! {
    physics {
        components { Position }
        schedule step { movement }
    }
}

#[system]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

#[system]
fn paused() -> bool {
    false
}

world! {
    struct Game {
        include physics;
    }
    schedule tick { include step if !paused }
}

fn main() {}
