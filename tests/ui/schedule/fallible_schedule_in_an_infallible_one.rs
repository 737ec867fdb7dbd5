//! A schedule that may fail in one that may not.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule start -> Result { load }
    schedule tick { start, movement }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn load() -> Result<(), std::num::ParseIntError> {
    "7".parse::<u32>().map(drop)
}

fn main() {}
