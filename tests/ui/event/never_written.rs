//! An event that a schedule reads and no schedule writes.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        events { Bumped }
    }
    schedule tick {
        score;
    }
}

#[system(Game)]
fn score(mut bumped: EventReader<Bumped>) {
    for bump in bumped.iter() {
        println!("{}", bump.0);
    }
}

fn main() {}
