//! An event that a schedule writes and no schedule reads.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        events { Bumped }
    }
    schedule tick {
        bump;
    }
}

#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>) {
    bumped.send(Bumped(1));
}

fn main() {}
