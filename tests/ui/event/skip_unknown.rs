//! A word behind `skip` that is neither `clear` nor `keep`.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        events { Bumped(external, skip = drop) }
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
