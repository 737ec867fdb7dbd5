//! An option that is given twice.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        events { Bumped(external, keep = 64, keep = 128) }
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
