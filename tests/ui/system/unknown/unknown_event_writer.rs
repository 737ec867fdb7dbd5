//! A writer of an event that the world does not have.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {}
    schedule tick { bump }
}

#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>) {
    bumped.send(Bumped(1));
}

fn main() {}
