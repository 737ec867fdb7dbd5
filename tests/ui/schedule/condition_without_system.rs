//! A condition that lacks `#[system]`, of a system that sends the only event.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Event)]
struct Left;
#[derive(Resource, Default)]
struct Paused(bool);

world! {
    struct Game {
        components { Position }
        resources { Paused }
        events { Left }
    }
    schedule tick {
        movement if !paused;
        count;
    }
}

#[system(Game)]
fn movement(position: &Position, mut left: EventWriter<Left>) {
    if position.0 < 0.0 {
        left.send(Left);
    }
}

/// The system that tells whether time stands still.
pub(crate) fn paused(paused: Res<Paused>) -> bool {
    paused.0
}

#[system(Game)]
fn count(mut left: EventReader<Left>) {
    left.clear();
}

fn main() {}
