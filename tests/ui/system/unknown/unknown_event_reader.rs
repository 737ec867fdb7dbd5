//! A reader of an event that the world does not have.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {}
    schedule tick { score }
}

#[system(Game)]
fn score(mut bumped: EventReader<Bumped>) {
    for bump in bumped.iter() {
        println!("{}", bump.0);
    }
}

fn main() {}
