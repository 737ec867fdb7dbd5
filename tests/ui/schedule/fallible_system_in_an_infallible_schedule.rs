//! A system that may fail in a schedule that may not.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick { movement, load }
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
