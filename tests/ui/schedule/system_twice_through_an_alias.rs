//! A system that a schedule has twice, once under another name.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick {
        movement;
        walk;
    }
}

use movement as walk;

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
