//! A system that returns something, in a schedule.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick { movement, count }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn count(positions: Query<&Position>) -> usize {
    positions.len()
}

fn main() {}
