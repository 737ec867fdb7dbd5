//! The whole world beside a writer of events.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game { events { Bumped(external) } }
    schedule tick { reset }
}

#[system(Game)]
fn reset(game: &mut Game, mut bumped: EventWriter<Bumped>) {
    game.clear();
    bumped.send(Bumped(1));
}

fn main() {}
