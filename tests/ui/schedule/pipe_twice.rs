//! A pipe that a schedule has twice.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource, Default)]
struct Count(usize);

world! {
    struct Game {
        components { Position }
        resources { Count }
    }
    schedule tick {
        count | report;
        count | report;
    }
}

#[system(Game)]
fn count(positions: Query<&Position>) -> usize {
    positions.len()
}

#[system(Game)]
fn report(number: In<usize>, mut count: ResMut<Count>) {
    count.0 = *number;
}

fn main() {}
